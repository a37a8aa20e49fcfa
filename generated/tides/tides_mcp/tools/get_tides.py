"""Get the tides of a day: `GET /harbours/{harbour}/tides`."""

from tides_mcp._runtime.tool import Argument, Hints, Route, Tool

TOOL = Tool(
    name="get_tides",
    title="Get the tides of a day",
    description=(
        "Get the tides of a day. Every high and low water of one day at one harbour, with its "
        "height in metres."
    ),
    route=Route("GET", "/harbours/{harbour}/tides", security=(("api_key",),)),
    hints=Hints(read_only=True, destructive=False, idempotent=True),
    arguments=(
        Argument(
            "harbour",
            "path",
            {"type": "string", "description": "ID of the harbour."},
            required=True,
            style="simple",
        ),
        Argument(
            "date",
            "query",
            {
                "type": "string",
                "format": "date",
                "description": "Day at the harbour. ISO 8601 date.",
            },
            required=True,
            style="form",
            explode=True,
        ),
    ),
)
