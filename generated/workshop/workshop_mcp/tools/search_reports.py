"""Search the reports: `POST /reports/search`."""

from workshop_mcp._runtime.tool import Argument, Body, Hints, Route, Tool

TOOL = Tool(
    name="search_reports",
    title="Search the reports",
    description=(
        "Reports of the office that match all conditions. Changes nothing, although it is a POST."
    ),
    route=Route(
        "POST",
        "/reports/search",
        security=(("office",), ("staff_token", "guest_key")),
        body=Body("application/json", required=True),
    ),
    hints=Hints(read_only=True, destructive=False, idempotent=True),
    arguments=(
        Argument(
            "first_day",
            "body",
            {"type": "string", "format": "date", "description": "First day. ISO 8601 date."},
            required=True,
            to=("from",),
        ),
        Argument(
            "to",
            "body",
            {"type": "string", "format": "date", "description": "Last day. ISO 8601 date."},
            to=("$to",),
        ),
        Argument(
            "match",
            "body",
            {
                "type": "string",
                "description": (
                    "Word in the title or the number of the report. Takes integers, too."
                ),
            },
            also=("integer",),
        ),
    ),
)
