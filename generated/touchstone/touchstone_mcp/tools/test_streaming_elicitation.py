"""Tells how far it is, and asks the user: answered as its `answer` says."""

from touchstone_mcp.runtime.dialogue import Ask, Form, Progress
from touchstone_mcp.runtime.play import Play, Text
from touchstone_mcp.runtime.tool import Hints, Tool

TOOL = Tool(
    name="test_streaming_elicitation",
    title="",
    description="Tells how far it is, and asks the user.",
    route=None,
    hints=Hints(read_only=True, destructive=False, idempotent=True, open_world=False),
    answer=Play(
        (
            Progress(done=1, total=2),
            Ask(
                {
                    "sure": Form(
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
