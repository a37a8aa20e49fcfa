"""Asks the client's model: answered as its `answer` says."""

from touchstone_mcp._runtime.elicitation.interactive_steps import Ask, Sample
from touchstone_mcp._runtime.server.declared_answer import DeclaredAnswer, Text
from touchstone_mcp._runtime.tool import Argument, Hints, Tool

TOOL = Tool(
    name="test_sampling",
    title="",
    description="Asks the client's model.",
    route=None,
    hints=Hints(read_only=True, destructive=False, idempotent=True, open_world=False),
    arguments=(
        Argument(
            "prompt",
            "handler",
            {"type": "string", "description": "What the model is asked."},
            required=True,
        ),
    ),
    answer=DeclaredAnswer(
        (Ask({"reply": Sample("${prompt}", 100)}), Text("The model wrote: ${reply.content.text}")),
    ),
)
