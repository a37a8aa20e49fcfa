"""Plans a repair of one bicycle. What must be said depends on the kind of…: `POST /repairs`."""

from workshop_mcp._runtime.tool import Argument, Body, Hints, Route, Tool

TOOL = Tool(
    name="order_repair",
    title="",
    description="Plans a repair of one bicycle. What must be said depends on the kind of job.",
    route=Route(
        "POST",
        "/repairs",
        security=(("staff_key",), ("staff_token",)),
        body=Body(
            "application/json",
            required=True,
            check={
                "type": "object",
                "required": ["bicycle_id", "job"],
                "properties": {
                    "bicycle_id": {"type": "integer", "minimum": 1},
                    "ready_by": {"type": "string"},
                    "job": {"$ref": "#/$defs/Job"},
                    "lines": {"type": "array", "items": {"$ref": "#/$defs/Line"}},
                    "labels": {"type": "object", "additionalProperties": {"type": "string"}},
                },
            },
        ),
    ),
    hints=Hints(read_only=False, destructive=False, idempotent=False),
    arguments=(
        Argument(
            "bicycle_id",
            "body",
            {"type": "integer", "minimum": 1, "description": "Bicycle id. At least 1."},
            required=True,
        ),
        Argument(
            "ready_by",
            "body",
            {
                "type": "string",
                "format": "date",
                "description": "Day by which it should be ready. ISO 8601 date.",
            },
        ),
        Argument(
            "job_kind",
            "body",
            {
                "type": "string",
                "enum": ["wheel", "paint"],
                "description": "Kind of job, in the body. One of: wheel, paint.",
            },
            required=True,
            to=("job", "kind"),
        ),
        Argument(
            "job_position",
            "body",
            {
                "type": "string",
                "enum": ["front", "rear"],
                "description": "Which wheel. Required if `kind` is `wheel`. One of: front, rear.",
            },
            to=("job", "position"),
        ),
        Argument(
            "job_spokes",
            "body",
            {
                "type": "integer",
                "minimum": 0,
                "maximum": 48,
                "description": "How many spokes to replace. Only if `kind` is `wheel`. 0 to 48.",
            },
            to=("job", "spokes"),
        ),
        Argument(
            "job_colour",
            "body",
            {"type": "string", "description": "Name of the colour. Required if `kind` is `paint`."},
            to=("job", "colour"),
        ),
        Argument(
            "job_gloss",
            "body",
            {
                "type": "boolean",
                "description": "Whether it shall shine. Only if `kind` is `paint`.",
            },
            to=("job", "gloss"),
        ),
        Argument(
            "lines",
            "body",
            {
                "type": "string",
                "description": (
                    "Spare parts to take from the shelf. JSON: `[{sku: string, count: integer >= "
                    "1, note?: string}]`."
                ),
            },
            text="json",
            check={"type": "array", "items": {"$ref": "#/$defs/Line"}},
        ),
        Argument(
            "labels",
            "body",
            {
                "type": "string",
                "description": (
                    "Free words for the workshop's own lists, by name. JSON: `{[key]: string}`."
                ),
            },
            text="json",
            check={"type": "object", "additionalProperties": {"type": "string"}},
        ),
    ),
)
