"""One bicycle with its owner and its tags: `GET /bicycles/{id}`."""

from workshop_mcp._runtime.tool import Argument, Hints, Route, Tool

TOOL = Tool(
    name="get_bicycle",
    title="",
    description="One bicycle with its owner and its tags.",
    route=Route("GET", "/bicycles/{id}", security=(("staff_key",), ("staff_token",))),
    hints=Hints(read_only=True, destructive=False, idempotent=True),
    arguments=(
        Argument(
            "id",
            "path",
            {"type": "integer", "minimum": 1, "description": "ID of the bicycle. At least 1."},
            required=True,
            style="simple",
        ),
    ),
)
