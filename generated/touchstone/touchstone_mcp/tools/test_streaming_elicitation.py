"""Tells how far it is, and asks the user: answered as its `answer` says."""

from touchstone_mcp._runtime.elicitation.interactive_steps import Ask, FormQuestion, Progress
from touchstone_mcp._runtime.server.declared_answer import DeclaredAnswer, Text
from touchstone_mcp._runtime.tool import Hints, Tool

TOOL = Tool(
    name="test_streaming_elicitation",
    title="",
    description="Tells how far it is, and asks the user.",
    route=None,
    hints=Hints(read_only=True, destructive=False, idempotent=True, open_world=False),
    answer=DeclaredAnswer(
        (
            Progress(done=1, total=2),
            Ask(
                {
                    "sure": FormQuestion(
                        "Go on?",
                        {
                            "type": "object",
                            "properties": {"ok": {"type": "boolean"}},
                            "required": ["ok"],
                        },
                    ),
                },
            ),
            Text("The user said: ${sure.content.ok}"),
        ),
    ),
)
