"""Bicycles known to the workshop, newest first: `GET /bicycles`."""

from workshop_mcp._runtime.tool import Argument, Hints, Route, Tool

TOOL = Tool(
    name="list_bicycles",
    title="",
    description="Bicycles known to the workshop, newest first.",
    route=Route("GET", "/bicycles", security=(("staff_key",), ("staff_token",))),
    hints=Hints(read_only=True, destructive=False, idempotent=True),
    arguments=(
        Argument(
            "status",
            "query",
            {
                "type": "array",
                "items": {"type": "string", "enum": ["waiting", "in_repair", "ready"]},
                "description": (
                    "Only bicycles in one of these states. Each: one of: waiting, in_repair, ready."
                ),
            },
            style="form",
        ),
        Argument(
            "tag",
            "query",
            {
                "type": "array",
                "items": {"type": "string"},
                "maxItems": 5,
                "description": "Only bicycles that carry all of these tags. At most 5 items.",
            },
            style="form",
            explode=True,
        ),
        Argument(
            "years",
            "query",
            {
                "type": "array",
                "items": {"type": "integer"},
                "minItems": 2,
                "maxItems": 2,
                "description": "Years of build, the first and the last. Exactly 2 items.",
            },
            style="pipeDelimited",
        ),
        Argument(
            "filter_brand",
            "query",
            {"type": "string", "description": "Brand on the frame."},
            to=("filter", "brand"),
            style="deepObject",
            explode=True,
        ),
        Argument(
            "filter_wheel_size",
            "query",
            {"type": "number", "description": "Diameter of the wheels in inches."},
            to=("filter", "wheel_size"),
            style="deepObject",
            explode=True,
        ),
        Argument(
            "near",
            "query",
            {
                "type": "string",
                "description": (
                    "Only bicycles whose owners live near this point. JSON: `{lat: number >= -90 "
                    "<= 90, lon: number >= -180 <= 180}`."
                ),
            },
            content="application/json",
            text="json",
            check={
                "type": "object",
                "required": ["lat", "lon"],
                "properties": {
                    "lat": {"type": "number", "minimum": -90, "maximum": 90},
                    "lon": {"type": "number", "minimum": -180, "maximum": 180},
                },
            },
        ),
        Argument(
            "limit",
            "query",
            {
                "type": "integer",
                "minimum": 1,
                "maximum": 100,
                "default": 25,
                "description": "How many bicycles at most. 1 to 100. Default: 25.",
            },
            style="form",
            explode=True,
        ),
        Argument(
            "cursor",
            "query",
            {"type": "string", "description": "`next` of an earlier answer."},
            style="form",
            explode=True,
        ),
        Argument(
            "x_request_id",
            "header",
            {
                "type": "string",
                "maxLength": 64,
                "description": (
                    "Id that the workshop writes into its journal. At most 64 characters."
                ),
            },
            to=("X-Request-Id",),
            style="simple",
        ),
        Argument(
            "locale",
            "cookie",
            {
                "type": "string",
                "default": "en",
                "description": "Language of the texts in the answer. Default: en.",
            },
            style="form",
            explode=True,
        ),
    ),
)
