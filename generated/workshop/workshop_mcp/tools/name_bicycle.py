"""Name a bicycle: `PUT /bicycles/{id}/nickname`."""

from workshop_mcp.runtime.tool import Argument, Body, Hints, Route, Tool

TOOL = Tool(
    name="name_bicycle",
    title="Name a bicycle",
    description="Name a bicycle. Sets the name that is called out when the bicycle is ready.",
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
            {"type": "integer", "minimum": 1, "description": "Id of the bicycle. At least 1."},
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
                "description": "The name to call out. 1 to 40 characters.",
            },
            required=True,
            to=(),
        ),
    ),
)
