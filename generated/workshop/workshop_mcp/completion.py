"""The values that clients may suggest to their users."""

from workshop_mcp._runtime.resources.completion import Completion
from workshop_mcp.prompts import PROMPTS
from workshop_mcp.resources import RESOURCES

COMPLETION = Completion(resources=RESOURCES, prompts=PROMPTS)
