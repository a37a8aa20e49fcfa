"""Asks the user for a name: answered as its `answer` says."""

from touchstone_mcp._runtime.elicitation.interactive_steps import Ask, FormQuestion
from touchstone_mcp._runtime.server.declared_answer import DeclaredAnswer, Text
from touchstone_mcp._runtime.tool import Hints, Tool

TOOL = Tool(
    name="test_input_required_result_elicitation",
    title="",
    description="Asks the user for a name.",
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
                    ),
                },
            ),
            Text("Good day, ${user_name.content.name}!"),
        ),
    ),
)
