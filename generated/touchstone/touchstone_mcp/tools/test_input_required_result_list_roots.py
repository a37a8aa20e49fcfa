"""Asks for the client's folders: answered as its `answer` says."""

from touchstone_mcp._runtime.elicitation.interactive_steps import Ask, Roots
from touchstone_mcp._runtime.server.declared_answer import DeclaredAnswer, Text
from touchstone_mcp._runtime.tool import Hints, Tool

TOOL = Tool(
    name="test_input_required_result_list_roots",
    title="",
    description="Asks for the client's folders.",
    route=None,
    hints=Hints(read_only=True, destructive=False, idempotent=True, open_world=False),
    answer=DeclaredAnswer(
        (Ask({"client_roots": Roots()}), Text("The client works in: ${client_roots.roots}")),
    ),
)
