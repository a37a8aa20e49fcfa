"""Set the prices of a part: `PUT /parts/{sku}/prices`."""

from workshop_mcp._runtime.tool import Argument, Body, Hints, Route, Tool

TOOL = Tool(
    name="set_prices",
    title="Set the prices of a part",
    description="Replaces the prices of a spare part, one for each currency.",
    route=Route(
        "PUT",
        "/parts/{sku}/prices",
        security=(("staff_key",), ("staff_token",)),
        accept="*/*",
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
            "body",
            "body",
            {
                "type": "string",
                "description": (
                    "Prices by the currency's three letters. JSON: `{[key]: number >= 0}`."
                ),
            },
            required=True,
            to=(),
            text="json",
            check={"type": "object", "additionalProperties": {"type": "number", "minimum": 0}},
        ),
    ),
)
