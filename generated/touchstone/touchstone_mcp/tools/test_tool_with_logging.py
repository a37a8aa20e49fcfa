"""Writes to the client's log, then answers: answered as its `answer` says."""

from touchstone_mcp._runtime.elicitation.interactive_steps import Log
from touchstone_mcp._runtime.server.declared_answer import DeclaredAnswer, Text, Wait
from touchstone_mcp._runtime.tool import Hints, Tool

TOOL = Tool(
    name="test_tool_with_logging",
    title="",
    description="Writes to the client's log, then answers.",
    route=None,
    hints=Hints(read_only=True, destructive=False, idempotent=True, open_world=False),
    answer=DeclaredAnswer(
        (
            Log(text="Begun"),
            Wait(50),
            Log(text="Half-way"),
            Wait(50),
            Log(text="Done"),
            Text("Three messages were written to the log."),
        ),
    ),
)
