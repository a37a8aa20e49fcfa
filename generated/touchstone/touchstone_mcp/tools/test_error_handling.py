"""Fails, always: answered as its `answer` says."""

from touchstone_mcp._runtime.server.declared_answer import DeclaredAnswer, Fail
from touchstone_mcp._runtime.tool import Hints, Tool

TOOL = Tool(
    name="test_error_handling",
    title="",
    description="Fails, always.",
    route=None,
    hints=Hints(read_only=True, destructive=False, idempotent=True, open_world=False),
    answer=DeclaredAnswer((Fail("This tool fails on purpose."),)),
)
