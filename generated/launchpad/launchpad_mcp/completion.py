"""The values that clients may suggest to their users."""

from launchpad_mcp.prompts import PROMPTS
from launchpad_mcp.resources import RESOURCES
from launchpad_mcp.runtime.completion import Completion

COMPLETION = Completion(resources=RESOURCES, prompts=PROMPTS)
