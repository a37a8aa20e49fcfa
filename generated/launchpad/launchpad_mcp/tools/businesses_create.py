"""Open a business: `POST /businesses`."""

from launchpad_mcp._runtime.tool import Argument, Body, Hints, Route, Tool

TOOL = Tool(
    name="businesses_create",
    title="Open a business",
    description="Opens a business under a name that no other has.",
    route=Route(
        "POST",
        "/businesses",
        security=(("platform_key",),),
        body=Body("application/json", required=True),
    ),
    hints=Hints(read_only=False, destructive=False, idempotent=False),
    arguments=(
        Argument(
            "name",
            "body",
            {
                "type": "string",
                "minLength": 1,
                "maxLength": 80,
                "description": "Name of the business. At most 80 characters.",
            },
            required=True,
        ),
    ),
    output={
        "type": "object",
        "properties": {"id": {"type": "string"}, "name": {"type": "string"}},
        "required": ["id", "name"],
    },
)
