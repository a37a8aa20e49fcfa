"""Answers with a text: answered as its `answer` says."""

from touchstone_mcp._runtime.server.declared_answer import DeclaredAnswer, Text
from touchstone_mcp._runtime.tool import Hints, Tool

TOOL = Tool(
    name="test_simple_text",
    title="",
    description="Answers with a text.",
    route=None,
    hints=Hints(read_only=True, destructive=False, idempotent=True, open_world=False),
    answer=DeclaredAnswer((Text("This text is always the same."),)),
)
