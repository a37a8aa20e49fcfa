"""The tools, in the order of the specification."""

from tides_mcp._runtime.tool import Tool
from tides_mcp.tools import create_alert, get_tides, list_harbours

TOOLS: tuple[Tool, ...] = (
    list_harbours.TOOL,
    get_tides.TOOL,
    create_alert.TOOL,
)
