"""Deprecated. Get the opening hours: `GET /opening-hours`."""

from workshop_mcp._runtime.tool import Hints, Route, Tool

TOOL = Tool(
    name="get_opening_hours",
    title="",
    description="Deprecated. Get the opening hours.",
    route=Route("GET", "/opening-hours", accept="text/plain"),
    hints=Hints(read_only=True, destructive=False, idempotent=True),
)
