"""Asks the user, and is taken up by its state: answered as its `answer` says."""

from touchstone_mcp._runtime.elicitation.interactive_steps import Ask, FormQuestion
from touchstone_mcp._runtime.server.declared_answer import DeclaredAnswer, Text
from touchstone_mcp._runtime.tool import Hints, Tool

TOOL = Tool(
    name="test_input_required_result_request_state",
    title="",
    description="Asks the user, and is taken up by its state.",
    route=None,
    hints=Hints(read_only=True, destructive=False, idempotent=True, open_world=False),
    answer=DeclaredAnswer(
        (
            Ask(
                {
                    "confirm": FormQuestion(
                        "Please confirm.",
                        {
                            "type": "object",
                            "properties": {"ok": {"type": "boolean"}},
                            "required": ["ok"],
                        },
                    ),
                },
            ),
            Text("state-ok: ${confirm.content.ok}"),
        ),
    ),
)
