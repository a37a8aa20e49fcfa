"""Lends seeds to the member whose token is used: `POST /varieties/{variety}/loans`."""

from seed_bank_mcp._runtime.tool import Argument, Body, Hints, Route, Tool

TOOL = Tool(
    name="borrow_seeds",
    title="",
    description="Lends seeds to the member whose token is used.",
    route=Route(
        "POST",
        "/varieties/{variety}/loans",
        security=(("member",),),
        body=Body("application/json", required=True, check={"$ref": "#/$defs/Request"}),
    ),
    hints=Hints(read_only=False, destructive=False, idempotent=False),
    arguments=(
        Argument(
            "variety",
            "path",
            {"type": "integer", "minimum": 1, "description": "Number of the variety. At least 1."},
            required=True,
            style="simple",
        ),
        Argument(
            "grams",
            "body",
            {
                "type": "number",
                "exclusiveMinimum": 0,
                "description": "How much to borrow. More than 0.",
            },
            required=True,
        ),
        Argument(
            "until",
            "body",
            {
                "type": "string",
                "format": "date",
                "description": (
                    "Day by which seeds come back; null for the next harvest. ISO 8601 date."
                ),
            },
        ),
        Argument(
            "garden_soil",
            "body",
            {
                "type": "string",
                "enum": ["clay", "loam", "sand"],
                "description": "Soil. Required if `garden` is sent. One of: clay, loam, sand.",
            },
            to=("garden", "soil"),
        ),
        Argument(
            "garden_metres",
            "body",
            {"type": "number", "minimum": 0, "description": "Metres above the sea. At least 0."},
            to=("garden", "metres"),
        ),
        Argument(
            "null_fields",
            "body",
            {
                "type": "array",
                "items": {"type": "string", "enum": ["until"]},
                "uniqueItems": True,
                "description": "Fields to send as null, which clears them.",
            },
            to=(),
            nulls={"until": ("until",)},
        ),
    ),
)
