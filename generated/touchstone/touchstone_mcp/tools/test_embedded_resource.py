"""Answers with a resource that is given along: answered as its `answer` says."""

from touchstone_mcp._runtime.server.declared_answer import DeclaredAnswer, Embedded
from touchstone_mcp._runtime.tool import Hints, Tool

TOOL = Tool(
    name="test_embedded_resource",
    title="",
    description="Answers with a resource that is given along.",
    route=None,
    hints=Hints(read_only=True, destructive=False, idempotent=True, open_world=False),
    answer=DeclaredAnswer(
        (
            Embedded(
                uri="test://embedded-resource",
                type="text/plain",
                text="A resource that was given along.",
            ),
        ),
    ),
)
