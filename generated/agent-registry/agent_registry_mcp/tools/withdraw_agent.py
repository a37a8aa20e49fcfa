"""Takes an agent, whichever way it was registered, out of the…: `DELETE /agents/{agent}`."""

from agent_registry_mcp._runtime.tool import Argument, Hints, Route, Tool

TOOL = Tool(
    name="withdraw_agent",
    title="",
    description=(
        "Takes an agent, whichever way it was registered, out of the registry with its endpoints."
    ),
    route=Route("DELETE", "/agents/{agent}", accept="*/*"),
    hints=Hints(read_only=False, destructive=True, idempotent=True, open_world=False),
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
