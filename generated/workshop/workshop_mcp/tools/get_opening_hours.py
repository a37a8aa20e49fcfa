"""Get the opening hours: `GET /opening-hours`."""

from workshop_mcp.runtime.tool import Hints, Route, Tool

TOOL = Tool(
    name="get_opening_hours",
    title="Get the opening hours",
    description=(
        "Deprecated. Get the opening hours. When the workshop is open, as a line of text. Ask "
        "`listBicycles` for anything else."
    ),
    route=Route("GET", "/opening-hours", accept="text/plain"),
    hints=Hints(read_only=True, destructive=False, idempotent=True),
)
