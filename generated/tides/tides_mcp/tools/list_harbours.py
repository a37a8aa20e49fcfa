"""The harbours of the coast from north to south, with their ids: `GET /harbours`."""

from tides_mcp._runtime.tool import Argument, Hints, Route, Tool

TOOL = Tool(
    name="list_harbours",
    title="",
    description="The harbours of the coast from north to south, with their ids.",
    route=Route("GET", "/harbours", security=(("api_key",),)),
    hints=Hints(read_only=True, destructive=False, idempotent=True),
    arguments=(
        Argument(
            "region",
            "query",
            {
                "type": "string",
                "enum": ["north", "bay", "south"],
                "description": "Only harbours of this region. One of: north, bay, south.",
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
                "description": "How many harbours at most. 1 to 100. Default: 20.",
            },
            style="form",
            explode=True,
        ),
    ),
)
