"""Write into the diary: `POST /repairs/{repair_id}/diary`."""

from workshop_mcp.runtime.tool import Argument, Body, Hints, Route, Tool

TOOL = Tool(
    name="write_diary",
    title="Write into the diary",
    description="Write into the diary. Adds a line to the diary of a repair.",
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
            {"type": "string", "format": "uuid", "description": "Id of the repair. UUID."},
            required=True,
            style="simple",
        ),
        Argument(
            "body",
            "body",
            {"type": "string", "description": "The line."},
            required=True,
            to=(),
        ),
    ),
)
