"""Brings a new variety into the collection: `POST /varieties`."""

from seed_bank_mcp._runtime.tool import Argument, Body, Hints, Route, Tool

TOOL = Tool(
    name="add_variety",
    title="",
    description="Brings a new variety into the collection.",
    route=Route(
        "POST",
        "/varieties",
        security=(("member",),),
        body=Body("application/json", required=True),
    ),
    hints=Hints(read_only=False, destructive=False, idempotent=False),
    arguments=(
        Argument(
            "name",
            "body",
            {"type": "string", "description": "What gardeners call it."},
            required=True,
        ),
        Argument(
            "species",
            "body",
            {"type": "string", "description": "Latin name of the species."},
            required=True,
        ),
        Argument(
            "sown_in",
            "body",
            {
                "type": "array",
                "items": {"type": "integer", "minimum": 1, "maximum": 12},
                "description": "Months in which it can be sown. Each: 1 to 12.",
            },
        ),
        Argument(
            "origin",
            "body",
            {"type": "string", "description": "Where it comes from, if known."},
        ),
        Argument(
            "parents",
            "body",
            {
                "type": "string",
                "description": (
                    "Varieties it was bred from. JSON: `[{name: string, species: string, sown_in?: "
                    "[integer >= 1 <= 12], origin?: string | null, parents?: [variety]}]`."
                ),
            },
            text="json",
            check={"type": "array", "items": {"$ref": "#/$defs/variety"}},
        ),
        Argument(
            "null_fields",
            "body",
            {
                "type": "array",
                "items": {"type": "string", "enum": ["origin"]},
                "uniqueItems": True,
                "description": "Fields to send as null, which clears them.",
            },
            to=(),
            nulls={"origin": ("origin",)},
        ),
    ),
)
