"""Search in everything: answered in `hooks.py`."""

from mcp_adapter._runtime.tool import Argument, Hints, Tool

TOOL = Tool(
    name="search",
    title="Search in everything",
    description=(
        "Finds records by their words, in all granted connections at once or in one of them. Each "
        "hit says which connection it is from; `fetch` reads its id."
    ),
    route=None,
    hints=Hints(read_only=True, destructive=False, idempotent=True, open_world=False),
    arguments=(
        Argument(
            "query",
            "handler",
            {"type": "string", "description": "Words that a record has to have, all of them."},
            required=True,
        ),
        Argument(
            "connection_id",
            "handler",
            {"type": "string", "description": "The only connection to search."},
        ),
        Argument(
            "stream",
            "handler",
            {"type": "string", "description": "The only stream to search."},
        ),
        Argument(
            "limit",
            "handler",
            {
                "type": "integer",
                "minimum": 1,
                "maximum": 50,
                "default": 10,
                "description": (
                    "How many hits at most, over all connections together. 1 to 50. Default: 10."
                ),
            },
        ),
        Argument(
            "cursor",
            "handler",
            {"type": "string", "description": "`next_cursor` of the hits before."},
        ),
    ),
    filled={"limit": 10},
)
