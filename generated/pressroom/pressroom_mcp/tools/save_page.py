"""Saves a draft of the page, which replaces the last one: `PUT /pages/{page}`."""

from pressroom_mcp._runtime.tool import Argument, Body, Hints, Route, Tool

TOOL = Tool(
    name="save_page",
    title="",
    description="Saves a draft of the page, which replaces the last one.",
    route=Route("PUT", "/pages/{page}", body=Body("application/json", required=True)),
    hints=Hints(read_only=False, destructive=False, idempotent=True, open_world=False),
    arguments=(
        Argument(
            "page",
            "path",
            {
                "type": "string",
                "pattern": "^[a-z][a-z0-9-]{0,79}$",
                "description": "ID of the page. Pattern: `^[a-z][a-z0-9-]{0,79}$`.",
            },
            required=True,
            style="simple",
        ),
        Argument(
            "title",
            "body",
            {
                "type": "string",
                "maxLength": 200,
                "description": "Title of the page. At most 200 characters.",
            },
            required=True,
        ),
        Argument(
            "text",
            "body",
            {"type": "string", "description": "Page as Markdown."},
            required=True,
        ),
        Argument(
            "section",
            "body",
            {
                "type": "string",
                "pattern": "^[a-z][a-z0-9-]{0,39}$",
                "default": "news",
                "description": (
                    "Section that the page belongs to. Pattern: `^[a-z][a-z0-9-]{0,39}$`. Default: "
                    "news."
                ),
            },
        ),
    ),
)
