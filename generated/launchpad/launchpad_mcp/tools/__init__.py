"""The tools, in the order of the specification."""

from launchpad_mcp._runtime.tool import Tool
from launchpad_mcp.tools import (
    admin_deploy_worker,
    businesses_create,
    businesses_get,
    businesses_list,
    events_list,
)

TOOLS: tuple[Tool, ...] = (
    businesses_list.TOOL,
    businesses_create.TOOL,
    businesses_get.TOOL,
    events_list.TOOL,
    admin_deploy_worker.TOOL,
)
