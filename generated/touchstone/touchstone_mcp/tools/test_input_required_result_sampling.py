"""Asks the client's model for a capital: answered as its `answer` says."""

from touchstone_mcp._runtime.elicitation.interactive_steps import Ask, Sample
from touchstone_mcp._runtime.server.declared_answer import DeclaredAnswer, Text
from touchstone_mcp._runtime.tool import Hints, Tool

TOOL = Tool(
    name="test_input_required_result_sampling",
    title="",
    description="Asks the client's model for a capital.",
    route=None,
    hints=Hints(read_only=True, destructive=False, idempotent=True, open_world=False),
    answer=DeclaredAnswer(
        (
            Ask({"capital_question": Sample("What is the capital of France?", 100)}),
            Text("The model said: ${capital_question.content.text}"),
        ),
    ),
)
