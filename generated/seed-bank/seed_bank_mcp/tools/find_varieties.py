"""Varieties of one species in the collection, in order of their names: `GET /varieties`."""

from seed_bank_mcp._runtime.tool import Argument, Hints, Route, Tool

TOOL = Tool(
    name="find_varieties",
    title="",
    description="Varieties of one species in the collection, in order of their names.",
    route=Route("GET", "/varieties", security=(("member",),)),
    hints=Hints(read_only=True, destructive=False, idempotent=True),
    arguments=(
        Argument(
            "species",
            "query",
            {"type": "string", "description": "Latin name of the species."},
            required=True,
            style="form",
            explode=True,
        ),
        Argument(
            "sown_in",
            "query",
            {
                "type": "integer",
                "minimum": 1,
                "maximum": 12,
                "description": "Only varieties that can be sown in this month, 1 to 12.",
            },
            style="form",
            explode=True,
        ),
    ),
)
