"""The pages of the site that the editor may see, in the order of their paths: `GET /pages`."""

from pressroom_mcp._runtime.tool import Argument, Hints, Route, Tool

TOOL = Tool(
    name="list_pages",
    title="",
    description="The pages of the site that the editor may see, in the order of their paths.",
    route=Route("GET", "/pages"),
    hints=Hints(read_only=True, destructive=False, idempotent=True, open_world=False),
    arguments=(
        Argument(
            "section",
            "query",
            {
                "type": "string",
                "pattern": "^[a-z][a-z0-9-]{0,39}$",
                "description": "Only pages of this section. Pattern: `^[a-z][a-z0-9-]{0,39}$`.",
            },
            style="form",
            explode=True,
        ),
        Argument(
            "limit",
            "query",
            {
                "type": "integer",
                "minimum": 1,
                "maximum": 100,
                "default": 20,
                "description": "How many pages to list at most. 1 to 100. Default: 20.",
            },
            style="form",
            explode=True,
        ),
    ),
)
