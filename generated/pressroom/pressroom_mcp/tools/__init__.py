"""The tools, in the order of the specification."""

from pressroom_mcp._runtime.tool import Tool
from pressroom_mcp.tools import get_page, get_publication, list_pages, save_page, start_publication

TOOLS: tuple[Tool, ...] = (
    list_pages.TOOL,
    get_page.TOOL,
    save_page.TOOL,
    start_publication.TOOL,
    get_publication.TOOL,
)
