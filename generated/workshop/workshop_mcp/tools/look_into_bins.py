"""What lies in some bins of one shelf: `GET /shelves{shelf}/{bins}`."""

from workshop_mcp._runtime.tool import Argument, Hints, Route, Tool

TOOL = Tool(
    name="look_into_bins",
    title="",
    description="What lies in some bins of one shelf.",
    route=Route("GET", "/shelves{shelf}/{bins}", security=(("staff_key",), ("staff_token",))),
    hints=Hints(read_only=True, destructive=False, idempotent=True),
    arguments=(
        Argument(
            "shelf",
            "path",
            {
                "type": "string",
                "pattern": "^[A-Z]$",
                "description": "Letter of the shelf. Pattern: `^[A-Z]$`.",
            },
            required=True,
            style="matrix",
        ),
        Argument(
            "bins",
            "path",
            {
                "type": "array",
                "items": {"type": "integer"},
                "minItems": 1,
                "description": "Numbers of the bins. At least 1 item.",
            },
            required=True,
            style="simple",
        ),
    ),
)
