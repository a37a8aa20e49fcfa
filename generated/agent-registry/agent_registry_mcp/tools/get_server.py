"""Read the card of an MCP server: `GET /mcp/servers/{server}`."""

from agent_registry_mcp._runtime.tool import Argument, Hints, Route, Tool

TOOL = Tool(
    name="get_server",
    title="Read the card of an MCP server",
    description=(
        "Read the card of an MCP server. One that was registered without a card gets one made of "
        "its capabilities, without the schemas of its tools."
    ),
    route=Route("GET", "/mcp/servers/{server}"),
    hints=Hints(read_only=True, destructive=False, idempotent=True, open_world=False),
    arguments=(
        Argument(
            "server",
            "path",
            {
                "type": "string",
                "pattern": "^[0-9a-f]{32}$",
                "description": "ID of the server, the one of its agent. Pattern: `^[0-9a-f]{32}$`.",
            },
            required=True,
            style="simple",
        ),
    ),
)
