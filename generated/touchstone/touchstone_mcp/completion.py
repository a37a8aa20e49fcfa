"""The values that clients may suggest to their users."""

from touchstone_mcp._runtime.resources.completion import Completion
from touchstone_mcp.prompts import PROMPTS
from touchstone_mcp.resources import RESOURCES

COMPLETION = Completion(resources=RESOURCES, prompts=PROMPTS)
