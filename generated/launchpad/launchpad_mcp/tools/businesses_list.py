"""The businesses that customers run on the platform, in the order in…: `GET /businesses`."""

from launchpad_mcp._runtime.tool import Argument, Hints, Route, Tool

TOOL = Tool(
    name="businesses_list",
    title="",
    description=(
        "The businesses that customers run on the platform, in the order in which they came."
    ),
    route=Route("GET", "/businesses", security=(("platform_key",),)),
    hints=Hints(read_only=True, destructive=False, idempotent=True, open_world=False),
    arguments=(
        Argument(
            "name",
            "query",
            {
                "type": "string",
                "minLength": 1,
                "maxLength": 80,
                "description": (
                    "Only businesses with this in their name, in capitals or not. At most 80 "
                    "characters."
                ),
            },
            style="form",
            explode=True,
        ),
    ),
    output={
        "type": "object",
        "properties": {
            "result": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {"id": {"type": "string"}, "name": {"type": "string"}},
                    "required": ["id", "name"],
                },
            },
        },
        "required": ["result"],
    },
    wrapped=True,
)
