"""Sets the name that is called out when the bicycle is ready: `PUT /bicycles/{id}/nickname`."""

from workshop_mcp._runtime.tool import Argument, Body, Hints, Route, Tool

TOOL = Tool(
    name="name_bicycle",
    title="",
    description="Sets the name that is called out when the bicycle is ready.",
    route=Route(
        "PUT",
        "/bicycles/{id}/nickname",
        security=(("staff_key",), ("staff_token",)),
        body=Body("application/json", required=True),
    ),
    hints=Hints(read_only=False, destructive=True, idempotent=True),
    arguments=(
        Argument(
            "id",
            "path",
            {"type": "integer", "minimum": 1, "description": "ID of the bicycle. At least 1."},
            required=True,
            style="simple",
        ),
        Argument(
            "body",
            "body",
            {
                "type": "string",
                "minLength": 1,
                "maxLength": 40,
                "description": "Name to call out. At most 40 characters.",
            },
            required=True,
            to=(),
        ),
    ),
)
