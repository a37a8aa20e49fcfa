"""Answers with a sound: answered as its `answer` says."""

from touchstone_mcp.runtime.play import Audio, Play
from touchstone_mcp.runtime.tool import Hints, Tool

TOOL = Tool(
    name="test_audio_content",
    title="",
    description="Answers with a sound.",
    route=None,
    hints=Hints(read_only=True, destructive=False, idempotent=True, open_world=False),
    answer=Play(
        (
            Audio(
                data="UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=",
                type="audio/wav",
            ),
        ),
    ),
)
