"""One agent with its capabilities, its endpoints, and whether each…: `GET /agents/{agent}`."""

from agent_registry_mcp._runtime.tool import Argument, Hints, Route, Tool

TOOL = Tool(
    name="get_agent",
    title="",
    description=(
        "One agent with its capabilities, its endpoints, and whether each of these is alive."
    ),
    route=Route("GET", "/agents/{agent}"),
    hints=Hints(read_only=True, destructive=False, idempotent=True, open_world=False),
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
    ),
)
