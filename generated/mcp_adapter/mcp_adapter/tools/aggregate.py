"""Sums and counts: answered in `hooks.py`."""

from mcp_adapter._runtime.tool import Argument, Hints, Tool

TOOL = Tool(
    name="aggregate",
    title="Sums and counts",
    description=(
        "Counts the records of one stream of one connection, or computes sum, average, least or "
        "greatest of a field, in all or by group."
    ),
    route=None,
    hints=Hints(read_only=True, destructive=False, idempotent=True, open_world=False),
    arguments=(
        Argument(
            "stream",
            "handler",
            {"type": "string", "description": "The stream, such as `purchases`."},
            required=True,
        ),
        Argument(
            "function",
            "handler",
            {
                "type": "string",
                "enum": ["count", "sum", "avg", "min", "max"],
                "description": "What to compute. One of: count, sum, avg, min, max.",
            },
            required=True,
        ),
        Argument(
            "field",
            "handler",
            {"type": "string", "description": "The field it is computed of; none for `count`."},
        ),
        Argument(
            "group_by",
            "handler",
            {"type": "string", "description": "The field whose values make the groups."},
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
            "filter",
            "handler",
            {
                "type": "array",
                "items": {"type": "string"},
                "description": "Conditions as of `query_records`.",
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
                "description": (
                    "How many groups at most, the greatest first. 1 to 100. Default: 20."
                ),
            },
        ),
    ),
    filled={"limit": 20},
)
