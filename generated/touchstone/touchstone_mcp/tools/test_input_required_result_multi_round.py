"""Asks the user one thing after the other: answered as its `answer` says."""

from touchstone_mcp._runtime.elicitation.interactive_steps import Ask, FormQuestion
from touchstone_mcp._runtime.server.declared_answer import DeclaredAnswer, Text
from touchstone_mcp._runtime.tool import Hints, Tool

TOOL = Tool(
    name="test_input_required_result_multi_round",
    title="",
    description="Asks the user one thing after the other.",
    route=None,
    hints=Hints(read_only=True, destructive=False, idempotent=True, open_world=False),
    answer=DeclaredAnswer(
        (
            Ask(
                {
                    "step1": FormQuestion(
                        "What is your name?",
                        {
                            "type": "object",
                            "properties": {"name": {"type": "string"}},
                            "required": ["name"],
                        },
                    ),
                },
            ),
            Ask(
                {
                    "step2": FormQuestion(
                        "And your favourite colour, ${step1.content.name}?",
                        {
                            "type": "object",
                            "properties": {"color": {"type": "string"}},
                            "required": ["color"],
                        },
                    ),
                },
            ),
            Text("${step1.content.name} likes ${step2.content.color}."),
        ),
    ),
)
