"""The values that clients may suggest to their users."""

from launchpad_mcp._runtime.resources.completion import Completion
from launchpad_mcp.prompts import PROMPTS
from launchpad_mcp.resources import RESOURCES

COMPLETION = Completion(resources=RESOURCES, prompts=PROMPTS)
