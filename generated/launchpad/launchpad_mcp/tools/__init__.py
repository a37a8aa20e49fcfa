"""The tools, in the order of the specification."""

from launchpad_mcp.runtime.tool import Tool
from launchpad_mcp.tools import admin_deploy_worker, events_list

TOOLS: tuple[Tool, ...] = (
    events_list.TOOL,
    admin_deploy_worker.TOOL,
)
