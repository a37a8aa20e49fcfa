"""Asks the user for a name: answered as its `answer` says."""

from touchstone_mcp.runtime.dialogue import Ask, Form
from touchstone_mcp.runtime.play import Play, Text
from touchstone_mcp.runtime.tool import Hints, Tool

TOOL = Tool(
    name="test_input_required_result_elicitation",
    title="",
    description="Asks the user for a name.",
    route=None,
    hints=Hints(read_only=True, destructive=False, idempotent=True, open_world=False),
    answer=Play(
        (
            Ask(
                {
                    "user_name": Form(
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
