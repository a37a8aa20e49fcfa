"""Writes down what a spare part is made of: `PUT /parts/{sku}`."""

from workshop_mcp._runtime.tool import Argument, Body, Hints, Route, Tool

TOOL = Tool(
    name="store_part",
    title="",
    description="Writes down what a spare part is made of.",
    route=Route(
        "PUT",
        "/parts/{sku}",
        security=(("staff_key",), ("staff_token",)),
        body=Body("application/json", required=True),
    ),
    hints=Hints(read_only=False, destructive=True, idempotent=True),
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
        Argument(
            "name",
            "body",
            {"type": "string", "description": "What it is called."},
            required=True,
        ),
        Argument(
            "made_of",
            "body",
            {
                "type": "string",
                "description": "Parts it is made of. JSON: `[{name: string, made_of?: [Part]}]`.",
            },
            text="json",
            check={"type": "array", "items": {"$ref": "#/$defs/Part"}},
        ),
    ),
)
