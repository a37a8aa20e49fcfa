"""One business, by its id: `GET /businesses/{id}`."""

from launchpad_mcp._runtime.tool import Argument, Hints, Route, Tool

TOOL = Tool(
    name="businesses_get",
    title="",
    description="One business, by its id.",
    route=Route("GET", "/businesses/{id}", security=(("platform_key",),)),
    hints=Hints(read_only=True, destructive=False, idempotent=True, open_world=False),
    arguments=(
        Argument(
            "id",
            "path",
            {
                "type": "string",
                "pattern": "^biz_[0-9]{1,12}$",
                "description": "ID of the business. Pattern: `^biz_[0-9]{1,12}$`.",
            },
            required=True,
            style="simple",
        ),
    ),
    output={
        "type": "object",
        "properties": {"id": {"type": "string"}, "name": {"type": "string"}},
        "required": ["id", "name"],
    },
)
