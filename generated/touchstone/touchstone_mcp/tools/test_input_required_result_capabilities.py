"""Asks whom the client can ask: answered as its `answer` says."""

from touchstone_mcp.runtime.dialogue import Ask, Form, Sample
from touchstone_mcp.runtime.play import Play, Text
from touchstone_mcp.runtime.tool import Hints, Tool

TOOL = Tool(
    name="test_input_required_result_capabilities",
    title="",
    description="Asks whom the client can ask.",
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
                        optional=True,
                    ),
                    "capital": Sample("What is the capital of France?", 50, optional=True),
                },
            ),
            Text("${user_name.content.name} ${capital.content.text}"),
        ),
    ),
)
