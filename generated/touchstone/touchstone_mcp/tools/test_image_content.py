"""Answers with an image: answered as its `answer` says."""

from touchstone_mcp._runtime.server.declared_answer import DeclaredAnswer, Image
from touchstone_mcp._runtime.tool import Hints, Tool

TOOL = Tool(
    name="test_image_content",
    title="",
    description="Answers with an image.",
    route=None,
    hints=Hints(read_only=True, destructive=False, idempotent=True, open_world=False),
    answer=DeclaredAnswer(
        (
            Image(
                data=(
                    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0g"
                    "AAAABJRU5ErkJggg=="
                ),
                type="image/png",
            ),
        ),
    ),
)
