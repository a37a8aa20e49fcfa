"""List recent events: `GET /events`."""

from launchpad_mcp._runtime.tool import Argument, Hints, Route, Tool

TOOL = Tool(
    name="events_list",
    title="List recent events",
    description="List recent events. What happened on the platform, the newest first.",
    route=Route("GET", "/events", security=(("platform_key",),)),
    hints=Hints(read_only=True, destructive=False, idempotent=True, open_world=False),
    arguments=(
        Argument(
            "type",
            "query",
            {
                "type": "string",
                "maxLength": 60,
                "pattern": "^[a-z]+(\\.[a-z]+)*$",
                "description": (
                    "Only events of this type. At most 60 characters. Pattern: "
                    "`^[a-z]+(\\.[a-z]+)*$`."
                ),
            },
            style="form",
            explode=True,
        ),
        Argument(
            "limit",
            "query",
            {
                "type": "number",
                "minimum": 1,
                "maximum": 100,
                "multipleOf": 1,
                "default": 20,
                "description": "How many events to list at most. 1 to 100. Default: 20.",
            },
            style="form",
            explode=True,
        ),
    ),
    output={
        "type": "object",
        "properties": {
            "result": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "id": {"type": "string"},
                        "type": {"type": "string"},
                        "at": {"type": "string"},
                        "subject": {"type": "string", "description": "What it happened to."},
                    },
                    "required": ["id", "type", "at"],
                },
            },
        },
        "required": ["result"],
    },
    wrapped=True,
)
