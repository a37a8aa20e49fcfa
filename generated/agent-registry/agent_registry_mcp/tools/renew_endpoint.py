"""Begins the time to live of an…: `POST /agents/{agent}/endpoints/{endpoint}/renew`."""

from agent_registry_mcp._runtime.tool import Argument, Hints, Route, Tool

TOOL = Tool(
    name="renew_endpoint",
    title="",
    description="Begins the time to live of an ephemeral endpoint anew.",
    route=Route("POST", "/agents/{agent}/endpoints/{endpoint}/renew", accept="*/*"),
    hints=Hints(read_only=False, destructive=False, idempotent=True, open_world=False),
    arguments=(
        Argument(
            "agent",
            "path",
            {
                "type": "string",
                "pattern": "^[0-9a-f]{32}$",
                "description": "ID of the agent. Pattern: `^[0-9a-f]{32}$`.",
            },
            required=True,
            style="simple",
        ),
        Argument(
            "endpoint",
            "path",
            {
                "type": "string",
                "pattern": "^[0-9a-f]{32}$",
                "description": "ID of one of its endpoints. Pattern: `^[0-9a-f]{32}$`.",
            },
            required=True,
            style="simple",
        ),
    ),
)
