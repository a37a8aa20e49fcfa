"""One page with its text, as it was last saved: `GET /pages/{page}`."""

from pressroom_mcp._runtime.tool import Argument, Hints, Route, Tool

TOOL = Tool(
    name="get_page",
    title="",
    description="One page with its text, as it was last saved.",
    route=Route("GET", "/pages/{page}"),
    hints=Hints(read_only=True, destructive=False, idempotent=True, open_world=False),
    arguments=(
        Argument(
            "page",
            "path",
            {
                "type": "string",
                "pattern": "^[a-z][a-z0-9-]{0,79}$",
                "description": "ID of the page. Pattern: `^[a-z][a-z0-9-]{0,79}$`.",
            },
            required=True,
            style="simple",
        ),
    ),
)
