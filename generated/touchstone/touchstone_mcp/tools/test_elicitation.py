"""Asks the user: answered as its `answer` says."""

from touchstone_mcp._runtime.elicitation.interactive_steps import Ask, FormQuestion
from touchstone_mcp._runtime.server.declared_answer import DeclaredAnswer, Text
from touchstone_mcp._runtime.tool import Argument, Hints, Tool

TOOL = Tool(
    name="test_elicitation",
    title="",
    description="Asks the user.",
    route=None,
    hints=Hints(read_only=True, destructive=False, idempotent=True, open_world=False),
    arguments=(
        Argument(
            "message",
            "handler",
            {"type": "string", "description": "What the user reads."},
            required=True,
        ),
    ),
    answer=DeclaredAnswer(
        (
            Ask(
                {
                    "who": FormQuestion(
                        "${message}",
                        {
                            "type": "object",
                            "properties": {
                                "username": {"type": "string", "description": "Your name"},
                                "email": {
                                    "type": "string",
                                    "description": "Where mail reaches you",
                                },
                            },
                            "required": ["username", "email"],
                        },
                        optional=True,
                    ),
                },
            ),
            Text("The user chose `${who.action}`: ${who.content}"),
        ),
    ),
)
