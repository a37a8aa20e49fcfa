"""Records of a stream: answered in `hooks.py`."""

from mcp_adapter._runtime.tool import Argument, Hints, Tool

TOOL = Tool(
    name="query_records",
    title="Records of a stream",
    description=(
        "Reads records of one stream of one connection, page by page, or those that changed since "
        "a bookmark. Each record has id, record_id, stream, connection_id, connector_key, grant_id "
        "and, if its connection has one, display_name, which say what it is; `payload` holds its "
        "fields."
    ),
    route=None,
    hints=Hints(read_only=True, destructive=False, idempotent=True, open_world=False),
    arguments=(
        Argument(
            "stream",
            "handler",
            {"type": "string", "description": "The stream, such as `messages`."},
            required=True,
        ),
        Argument(
            "connection_id",
            "handler",
            {
                "type": "string",
                "description": "The connection to read; needed where several are granted.",
            },
        ),
        Argument(
            "fields",
            "handler",
            {
                "type": "array",
                "items": {"type": "string"},
                "description": "The fields that payloads are narrowed to; all of them if left out.",
            },
        ),
        Argument(
            "filter",
            "handler",
            {
                "type": "array",
                "items": {"type": "string"},
                "description": (
                    "Conditions that all have to hold, each `field operator value` with = != > >= "
                    "< <= or ~ (contains), such as `sent_at >= 2026-03-04`."
                ),
            },
        ),
        Argument(
            "sort",
            "handler",
            {
                "type": "string",
                "description": (
                    "A field, with `-` before it for the greatest first. By change if left out."
                ),
            },
        ),
        Argument(
            "limit",
            "handler",
            {
                "type": "integer",
                "minimum": 1,
                "maximum": 100,
                "default": 20,
                "description": "How many records at most. 1 to 100. Default: 20.",
            },
        ),
        Argument(
            "cursor",
            "handler",
            {
                "type": "string",
                "description": (
                    "`next_cursor` of the page before; the other arguments stay the same."
                ),
            },
        ),
        Argument(
            "changes_since",
            "handler",
            {
                "type": "string",
                "description": (
                    "`next_changes_since` of an earlier call: only what changed after it."
                ),
            },
        ),
        Argument(
            "count",
            "handler",
            {
                "type": "boolean",
                "description": "Whether to count all records that meet the conditions.",
            },
        ),
        Argument(
            "expand",
            "handler",
            {
                "type": "array",
                "items": {"type": "string"},
                "description": "Relations to include, such as `attachments`.",
            },
        ),
    ),
    filled={"limit": 20},
)
