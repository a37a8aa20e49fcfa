"""The values that clients may suggest to their users."""

from reading_room_mcp._runtime.resources.completion import Completion
from reading_room_mcp.resources import RESOURCES

COMPLETION = Completion(resources=RESOURCES)
