"""The tools, in the order of the specification."""

from agent_registry_mcp._runtime.tool import Tool
from agent_registry_mcp.tools import (
    discover_agents,
    get_agent,
    get_server,
    list_servers,
    register_agent,
    register_server,
    renew_endpoint,
    send_heartbeat,
    withdraw_agent,
)

TOOLS: tuple[Tool, ...] = (
    discover_agents.TOOL,
    register_agent.TOOL,
    get_agent.TOOL,
    withdraw_agent.TOOL,
    send_heartbeat.TOOL,
    renew_endpoint.TOOL,
    list_servers.TOOL,
    register_server.TOOL,
    get_server.TOOL,
)
