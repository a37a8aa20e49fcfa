"""The values that clients may suggest to their users."""

from touchstone_mcp.prompts import PROMPTS
from touchstone_mcp.resources import RESOURCES
from touchstone_mcp.runtime.completion import Completion

COMPLETION = Completion(resources=RESOURCES, prompts=PROMPTS)
