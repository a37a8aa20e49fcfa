"""Answers with a text, an image and a resource: answered as its `answer` says."""

from touchstone_mcp._runtime.server.declared_answer import DeclaredAnswer, Embedded, Image, Text
from touchstone_mcp._runtime.tool import Hints, Tool

TOOL = Tool(
    name="test_multiple_content_types",
    title="",
    description="Answers with a text, an image and a resource.",
    route=None,
    hints=Hints(read_only=True, destructive=False, idempotent=True, open_world=False),
    answer=DeclaredAnswer(
        (
            Text("A text, an image and a resource."),
            Image(
                data=(
                    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0g"
                    "AAAABJRU5ErkJggg=="
                ),
                type="image/png",
            ),
            Embedded(
                uri="test://mixed-content-resource",
                type="application/json",
                text='{"kind": "mixture", "parts": 3}',
            ),
        ),
    ),
)
