"""One record as a document: answered in `hooks.py`."""

from mcp_adapter._runtime.tool import Argument, Hints, Tool

TOOL = Tool(
    name="fetch",
    title="One record as a document",
    description="Reads one record as a document with id, title, text, url and metadata.",
    route=None,
    hints=Hints(read_only=True, destructive=False, idempotent=True, open_world=False),
    arguments=(
        Argument(
            "id",
            "handler",
            {
                "type": "string",
                "description": (
                    "The `id` of a hit or a record; or `stream/record_id`, which takes "
                    "connection_id."
                ),
            },
            required=True,
        ),
        Argument(
            "connection_id",
            "handler",
            {
                "type": "string",
                "description": "The connection that the record is from, if its id does not say it.",
            },
        ),
        Argument(
            "fields",
            "handler",
            {
                "type": "array",
                "items": {"type": "string"},
                "description": "The fields that the text is made of; all of them if left out.",
            },
        ),
    ),
)
