"""The values that clients may suggest to their users."""

from reading_room_mcp.resources import RESOURCES
from reading_room_mcp.runtime.completion import Completion

COMPLETION = Completion(resources=RESOURCES)
