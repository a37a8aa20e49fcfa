"""The values that clients may suggest to their users."""

from workshop_mcp.prompts import PROMPTS
from workshop_mcp.resources import RESOURCES
from workshop_mcp.runtime.completion import Completion

COMPLETION = Completion(resources=RESOURCES, prompts=PROMPTS)
