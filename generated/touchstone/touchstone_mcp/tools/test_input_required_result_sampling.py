"""Asks the client's model for a capital: answered as its `answer` says."""

from touchstone_mcp.runtime.dialogue import Ask, Sample
from touchstone_mcp.runtime.play import Play, Text
from touchstone_mcp.runtime.tool import Hints, Tool

TOOL = Tool(
    name="test_input_required_result_sampling",
    title="",
    description="Asks the client's model for a capital.",
    route=None,
    hints=Hints(read_only=True, destructive=False, idempotent=True, open_world=False),
    answer=Play(
        (
            Ask({"capital_question": Sample("What is the capital of France?", 100)}),
            Text("The model said: ${capital_question.content.text}"),
        ),
    ),
)
