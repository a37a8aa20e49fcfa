"""Changes what is given and leaves the rest; `null` removes a fact: `PATCH /bicycles/{id}`."""

from workshop_mcp._runtime.tool import Argument, Body, Hints, Route, Tool

TOOL = Tool(
    name="change_bicycle",
    title="",
    description="Changes what is given and leaves the rest; `null` removes a fact.",
    route=Route(
        "PATCH",
        "/bicycles/{id}",
        security=(("staff_key",), ("staff_token",)),
        body=Body(
            "application/merge-patch+json",
            required=True,
            check={
                "type": "object",
                "minProperties": 1,
                "properties": {
                    "id": {"type": "integer", "minimum": 1},
                    "brand": {"type": ["string", "null"]},
                    "year": {"type": ["integer", "null"], "minimum": 1900},
                    "note": {"type": ["string", "null"], "maxLength": 500},
                },
            },
        ),
    ),
    hints=Hints(read_only=False, destructive=True, idempotent=False),
    arguments=(
        Argument(
            "id",
            "path",
            {"type": "integer", "minimum": 1, "description": "ID of the bicycle. At least 1."},
            required=True,
            style="simple",
        ),
        Argument(
            "body_id",
            "body",
            {
                "type": "integer",
                "minimum": 1,
                "description": "ID of a bicycle whose history is merged into this one. At least 1.",
            },
            to=("id",),
        ),
        Argument("brand", "body", {"type": "string", "description": "Brand on the frame."}),
        Argument(
            "year",
            "body",
            {"type": "integer", "minimum": 1900, "description": "Year of build. At least 1900."},
        ),
        Argument(
            "note",
            "body",
            {
                "type": "string",
                "maxLength": 500,
                "description": "What everybody should know about it. At most 500 characters.",
            },
        ),
        Argument(
            "null_fields",
            "body",
            {
                "type": "array",
                "items": {"type": "string", "enum": ["brand", "year", "note"]},
                "uniqueItems": True,
                "description": "Fields to send as null, which clears them.",
            },
            to=(),
            nulls={"brand": ("brand",), "year": ("year",), "note": ("note",)},
        ),
    ),
)
