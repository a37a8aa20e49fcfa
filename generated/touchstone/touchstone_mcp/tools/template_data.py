"""Gives the document of an id: answered as its `answer` says."""

from touchstone_mcp._runtime.server.declared_answer import DeclaredAnswer, Embedded
from touchstone_mcp._runtime.tool import Argument, Hints, Tool

TOOL = Tool(
    name="template_data",
    title="",
    description="Gives the document of an id.",
    route=None,
    hints=Hints(read_only=True, destructive=False, idempotent=True, open_world=False),
    arguments=(
        Argument(
            "id",
            "handler",
            {"type": "string", "description": "Which document."},
            required=True,
        ),
    ),
    answer=DeclaredAnswer(
        (
            Embedded(
                uri="test://template/${id}/data",
                type="application/json",
                text='{"id": "${id}", "about": "The document of ${id}"}',
            ),
        ),
    ),
)
