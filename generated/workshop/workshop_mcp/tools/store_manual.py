"""Stores a manual, or replaces the one with this title: `PUT /manuals/{title}`."""

from workshop_mcp._runtime.tool import Argument, Body, Hints, Route, Tool

TOOL = Tool(
    name="store_manual",
    title="",
    description="Stores a manual, or replaces the one with this title.",
    route=Route(
        "PUT",
        "/manuals/{title}",
        security=(("staff_key",), ("staff_token",)),
        accept="*/*",
        body=Body("application/octet-stream", required=True),
    ),
    hints=Hints(read_only=False, destructive=True, idempotent=True),
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
        Argument(
            "body",
            "body",
            {
                "type": "string",
                "contentEncoding": "base64",
                "description": "The body of the request. Base64.",
            },
            required=True,
            to=(),
            text="base64",
        ),
    ),
)
