"""Adds a line to the diary of a repair: `POST /repairs/{repair_id}/diary`."""

from workshop_mcp._runtime.tool import Argument, Body, Hints, Route, Tool

TOOL = Tool(
    name="write_diary",
    title="",
    description="Adds a line to the diary of a repair.",
    route=Route(
        "POST",
        "/repairs/{repair_id}/diary",
        security=(("staff_key",), ("staff_token",)),
        accept="*/*",
        body=Body("text/plain", required=True),
    ),
    hints=Hints(read_only=False, destructive=False, idempotent=False),
    arguments=(
        Argument(
            "repair_id",
            "path",
            {"type": "string", "format": "uuid", "description": "Repair id. UUID."},
            required=True,
            style="simple",
        ),
        Argument("body", "body", {"type": "string", "description": "Line."}, required=True, to=()),
    ),
)
