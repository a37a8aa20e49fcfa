"""Reports how many of each spare part lie on the shelf after…: `POST /parts/count`."""

from workshop_mcp._runtime.tool import Argument, Body, Hints, Route, Tool

TOOL = Tool(
    name="count_parts",
    title="",
    description="Reports how many of each spare part lie on the shelf after stocktaking.",
    route=Route(
        "POST",
        "/parts/count",
        security=(("staff_key",), ("staff_token",)),
        accept="*/*",
        body=Body("application/json", required=True),
    ),
    hints=Hints(read_only=False, destructive=False, idempotent=False),
    arguments=(
        Argument(
            "body",
            "body",
            {
                "type": "string",
                "description": (
                    "The body of the request. JSON: `[{sku: string, count: integer >= 1, note?: "
                    "string}]`."
                ),
            },
            required=True,
            to=(),
            text="json",
            check={"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/Line"}},
        ),
    ),
)
