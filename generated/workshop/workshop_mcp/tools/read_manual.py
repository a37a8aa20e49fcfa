"""The manual as a file: `GET /manuals/{title}`."""

from workshop_mcp._runtime.tool import Argument, Hints, Route, Tool

TOOL = Tool(
    name="read_manual",
    title="",
    description="The manual as a file.",
    route=Route("GET", "/manuals/{title}", security=((), ("guest_key",)), accept="application/pdf"),
    hints=Hints(read_only=True, destructive=False, idempotent=True),
    arguments=(
        Argument(
            "title",
            "path",
            {
                "type": "string",
                "description": "Title of the manual; it may contain slashes and spaces.",
            },
            required=True,
            style="simple",
        ),
    ),
)
