"""Create an alert. Asks for a message each time the…: `POST /harbours/{harbour}/alerts`."""

from tides_mcp._runtime.tool import Argument, Body, Hints, Route, Tool

TOOL = Tool(
    name="create_alert",
    title="",
    description=(
        "Create an alert. Asks for a message each time the water at a harbour is expected above a "
        "level."
    ),
    route=Route(
        "POST",
        "/harbours/{harbour}/alerts",
        security=(("api_key",),),
        body=Body("application/json", required=True),
    ),
    hints=Hints(read_only=False, destructive=False, idempotent=False),
    arguments=(
        Argument(
            "harbour",
            "path",
            {"type": "string", "description": "ID of the harbour."},
            required=True,
            style="simple",
        ),
        Argument(
            "metres",
            "body",
            {
                "type": "number",
                "minimum": 0,
                "description": "Level above which to send a message. At least 0.",
            },
            required=True,
        ),
        Argument(
            "notify_email",
            "body",
            {
                "type": "string",
                "format": "email",
                "description": "Address to write to. Email address.",
            },
            required=True,
            to=("notify", "email"),
        ),
        Argument(
            "notify_hours_before",
            "body",
            {
                "type": "integer",
                "minimum": 1,
                "maximum": 48,
                "default": 6,
                "description": "How many hours ahead. 1 to 48. Default: 6.",
            },
            to=("notify", "hours_before"),
        ),
    ),
)
