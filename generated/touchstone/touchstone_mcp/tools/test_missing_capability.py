"""Needs a client with a model: answered as its `answer` says."""

from touchstone_mcp._runtime.elicitation.interactive_steps import Ask, Sample
from touchstone_mcp._runtime.server.declared_answer import DeclaredAnswer, Text
from touchstone_mcp._runtime.tool import Hints, Tool

TOOL = Tool(
    name="test_missing_capability",
    title="",
    description="Needs a client with a model.",
    route=None,
    hints=Hints(read_only=True, destructive=False, idempotent=True, open_world=False),
    answer=DeclaredAnswer(
        (Ask({"word": Sample("Say one word.", 10)}), Text("The model said: ${word.content.text}")),
    ),
)
