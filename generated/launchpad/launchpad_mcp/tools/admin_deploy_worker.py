"""Deploy a worker. Puts a program into service under a name; one…: `PUT /workers/{name}`."""

from launchpad_mcp._runtime.tool import Argument, Body, Hints, Route, Tool

TOOL = Tool(
    name="admin_deploy_worker",
    title="",
    description=(
        "Deploy a worker. Puts a program into service under a name; one that runs under this name "
        "already is replaced."
    ),
    route=Route(
        "PUT",
        "/workers/{name}",
        security=(("platform_key",),),
        body=Body("application/json", required=True),
    ),
    hints=Hints(read_only=False, destructive=True, idempotent=True),
    arguments=(
        Argument(
            "name",
            "path",
            {
                "type": "string",
                "pattern": "^[a-z][a-z0-9-]{0,39}$",
                "description": "Name of the worker. Pattern: `^[a-z][a-z0-9-]{0,39}$`.",
            },
            required=True,
            style="simple",
        ),
        Argument(
            "script",
            "body",
            {
                "type": "string",
                "minLength": 1,
                "maxLength": 65536,
                "description": "Program as JavaScript.",
            },
            required=True,
        ),
    ),
    output={
        "type": "object",
        "properties": {"name": {"type": "string"}, "version": {"type": "integer", "minimum": 1}},
        "required": ["name", "version"],
    },
)
