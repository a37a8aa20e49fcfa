"""Asks the user, the model and for folders at once: answered as its `answer` says."""

from touchstone_mcp._runtime.elicitation.interactive_steps import Ask, FormQuestion, Roots, Sample
from touchstone_mcp._runtime.server.declared_answer import DeclaredAnswer, Text
from touchstone_mcp._runtime.tool import Hints, Tool

TOOL = Tool(
    name="test_input_required_result_multiple_inputs",
    title="",
    description="Asks the user, the model and for folders at once.",
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
                    "greeting": Sample("Write a greeting.", 50),
                    "client_roots": Roots(),
                },
            ),
            Text(
                (
                    "${greeting.content.text} ${user_name.content.name}, of "
                    "${client_roots.roots.0.uri}"
                ),
            ),
        ),
    ),
)
