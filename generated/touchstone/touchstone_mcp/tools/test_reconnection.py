"""Closes the stream of the call, then answers: answered as its `answer` says."""

from touchstone_mcp._runtime.elicitation.interactive_steps import Close
from touchstone_mcp._runtime.server.declared_answer import DeclaredAnswer, Text, Wait
from touchstone_mcp._runtime.tool import Hints, Tool

TOOL = Tool(
    name="test_reconnection",
    title="",
    description="Closes the stream of the call, then answers.",
    route=None,
    hints=Hints(read_only=True, destructive=False, idempotent=True, open_world=False),
    answer=DeclaredAnswer((Close(), Wait(100), Text("The stream was closed, and taken up again."))),
)
