"""What can be read: answered in `hooks.py`."""

from mcp_adapter._runtime.tool import Argument, Hints, Tool

TOOL = Tool(
    name="schema",
    title="What can be read",
    description=(
        "Tells what is granted. Without arguments an index of every stream by connector; with "
        "`stream` its fields, and what can be filtered, sorted, grouped and aggregated; with "
        "`connection_id` of one connection only."
    ),
    route=None,
    hints=Hints(read_only=True, destructive=False, idempotent=True, open_world=False),
    arguments=(
        Argument(
            "stream",
            "handler",
            {"type": "string", "description": "The stream to tell about, such as `messages`."},
        ),
        Argument(
            "connection_id",
            "handler",
            {
                "type": "string",
                "description": "The connection that is meant, where several have the stream.",
            },
        ),
        Argument(
            "detail",
            "handler",
            {
                "type": "string",
                "enum": ["compact", "full"],
                "description": (
                    "`compact` unless said otherwise; `full` adds the JSON Schema and takes a "
                    "stream of one connection."
                ),
            },
        ),
    ),
)
