"""Asks whom the client can ask: answered as its `answer` says."""

from touchstone_mcp._runtime.elicitation.interactive_steps import Ask, FormQuestion, Sample
from touchstone_mcp._runtime.server.declared_answer import DeclaredAnswer, Text
from touchstone_mcp._runtime.tool import Hints, Tool

TOOL = Tool(
    name="test_input_required_result_capabilities",
    title="",
    description="Asks whom the client can ask.",
    route=None,
    hints=Hints(read_only=True, destructive=False, idempotent=True, open_world=False),
    answer=DeclaredAnswer(
        (
            Ask(
                {
                    "user_name": FormQuestion(
                        "What is your name?",
                        {
                            "type": "object",
                            "properties": {"name": {"type": "string"}},
                            "required": ["name"],
                        },
                        optional=True,
                    ),
                    "capital": Sample("What is the capital of France?", 50, optional=True),
                },
            ),
            Text("${user_name.content.name} ${capital.content.text}"),
        ),
    ),
)
