"""Puts many parts into the catalogue at once, one in each line: `POST /parts/import`."""

from workshop_mcp._runtime.tool import Argument, Body, Hints, Route, Tool

TOOL = Tool(
    name="import_parts",
    title="",
    description="Puts many parts into the catalogue at once, one in each line.",
    route=Route(
        "POST",
        "/parts/import",
        security=(("staff_key",), ("staff_token",)),
        accept="*/*",
        body=Body("application/x-ndjson", required=True),
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
            check={"type": "array", "items": {"$ref": "#/$defs/Line"}},
        ),
    ),
)
