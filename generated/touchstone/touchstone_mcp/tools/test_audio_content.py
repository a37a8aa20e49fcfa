"""Answers with a sound: answered as its `answer` says."""

from touchstone_mcp._runtime.server.declared_answer import Audio, DeclaredAnswer
from touchstone_mcp._runtime.tool import Hints, Tool

TOOL = Tool(
    name="test_audio_content",
    title="",
    description="Answers with a sound.",
    route=None,
    hints=Hints(read_only=True, destructive=False, idempotent=True, open_world=False),
    answer=DeclaredAnswer(
        (
            Audio(
                data="UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=",
                type="audio/wav",
            ),
        ),
    ),
)
