"""Writes one message to the log of clients that want it: answered as its `answer` says."""

from touchstone_mcp._runtime.elicitation.interactive_steps import Log
from touchstone_mcp._runtime.server.declared_answer import DeclaredAnswer, Text
from touchstone_mcp._runtime.tool import Hints, Tool

TOOL = Tool(
    name="test_logging_tool",
    title="",
    description="Writes one message to the log of clients that want it.",
    route=None,
    hints=Hints(read_only=True, destructive=False, idempotent=True, open_world=False),
    answer=DeclaredAnswer(
        (
            Log(text="Only for those who asked", level="warning", logger="touchstone"),
            Text("Whoever wanted the log has got it."),
        ),
    ),
)
