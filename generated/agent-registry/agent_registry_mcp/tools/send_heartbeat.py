"""Send a heartbeat. Says that a…: `POST /agents/{agent}/endpoints/{endpoint}/heartbeat`."""

from agent_registry_mcp._runtime.tool import Argument, Hints, Route, Tool

TOOL = Tool(
    name="send_heartbeat",
    title="",
    description="Send a heartbeat. Says that a persistent endpoint is alive.",
    route=Route("POST", "/agents/{agent}/endpoints/{endpoint}/heartbeat", accept="*/*"),
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
