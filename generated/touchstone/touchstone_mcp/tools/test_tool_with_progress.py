"""Tells how far it is, then answers: answered as its `answer` says."""

from touchstone_mcp._runtime.elicitation.interactive_steps import Progress
from touchstone_mcp._runtime.server.declared_answer import DeclaredAnswer, Text, Wait
from touchstone_mcp._runtime.tool import Hints, Tool

TOOL = Tool(
    name="test_tool_with_progress",
    title="",
    description="Tells how far it is, then answers.",
    route=None,
    hints=Hints(read_only=True, destructive=False, idempotent=True, open_world=False),
    answer=DeclaredAnswer(
        (
            Progress(done=0, total=100, message="Begun"),
            Wait(50),
            Progress(done=50, total=100, message="Half-way"),
            Wait(50),
            Progress(done=100, total=100, message="Done"),
            Text("Three steps of progress were told."),
        ),
    ),
)
