"""The fewest arguments that each tool accepts, as far as known."""

from typing import Any

LEAST: dict[str, dict[str, Any]] = {
    "discover_agents": {},
    "register_agent": {
        "name": "Weather",
        "endpoints": (
            '[{"name":"streamable-http","transport":"Http","protocol":"MCP",'
            '"address":"https://weather.example/mcp","livenessModel":"Persistent"}]'
        ),
    },
    "get_agent": {"agent": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"},
    "withdraw_agent": {"agent": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"},
    "send_heartbeat": {
        "agent": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        "endpoint": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    },
    "renew_endpoint": {
        "agent": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        "endpoint": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    },
    "list_servers": {},
    "register_server": {
        "serverCard_mcpVersion": "2025-11-25",
        "serverCard_serverInfo_name": "weather",
        "serverCard_serverInfo_version": "1.0.0",
        "serverCard_endpoints_streamableHttp": "https://weather.example/mcp",
        "serverCard_capabilities": "{}",
    },
    "get_server": {"server": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"},
}
