"""One spare part and, to any depth, the parts it is made of: `GET /parts/{sku}`."""

from workshop_mcp._runtime.tool import Argument, Hints, Route, Tool

TOOL = Tool(
    name="get_part",
    title="",
    description="One spare part and, to any depth, the parts it is made of.",
    route=Route("GET", "/parts/{sku}", security=(("staff_key",), ("staff_token",))),
    hints=Hints(read_only=True, destructive=False, idempotent=True),
    arguments=(
        Argument(
            "sku",
            "path",
            {
                "type": "string",
                "pattern": "^[A-Z]{3}-[0-9]+$",
                "description": "Number of the part in the catalogue. Pattern: `^[A-Z]{3}-[0-9]+$`.",
            },
            required=True,
            style="simple",
        ),
    ),
)
