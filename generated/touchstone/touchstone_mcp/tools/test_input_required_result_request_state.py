"""Asks the user, and is taken up by its state: answered as its `answer` says."""

from touchstone_mcp.runtime.dialogue import Ask, Form
from touchstone_mcp.runtime.play import Play, Text
from touchstone_mcp.runtime.tool import Hints, Tool

TOOL = Tool(
    name="test_input_required_result_request_state",
    title="",
    description="Asks the user, and is taken up by its state.",
    route=None,
    hints=Hints(read_only=True, destructive=False, idempotent=True, open_world=False),
    answer=Play(
        (
            Ask(
                {
                    "confirm": Form(
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
