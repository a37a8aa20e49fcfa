"""One repair, its state and what it costs: `GET /repairs/{repair_id}`."""

from workshop_mcp._runtime.tool import Argument, Hints, Route, Tool

TOOL = Tool(
    name="get_repair",
    title="",
    description="One repair, its state and what it costs.",
    route=Route("GET", "/repairs/{repair_id}", security=(("staff_key",), ("staff_token",))),
    hints=Hints(read_only=True, destructive=False, idempotent=True),
    arguments=(
        Argument(
            "repair_id",
            "path",
            {"type": "string", "format": "uuid", "description": "Repair id. UUID."},
            required=True,
            style="simple",
        ),
        Argument(
            "if_none_match",
            "header",
            {"type": "string", "description": "`ETag` of an answer you still have."},
            to=("If-None-Match",),
            style="simple",
        ),
    ),
)
