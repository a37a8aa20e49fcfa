"""The calls that documentation shows: those that the tests of the project make."""

from __future__ import annotations

import json

from mcpgen.emit.code import SourceText, literal
from mcpgen.emit.literal import Value
from mcpgen.ir.server import Server, ToolSpec

MOST = 1_000
"""Characters of a call as JSON, beyond which it shows less than it takes to read."""

_EXAMPLES = "EXAMPLES: dict[str, dict[str, Json]] = "


def examples(server: Server) -> SourceText:
    """The arguments of a good call by the name of its tool, for every tool that has a short one: as the
    document gives them, or else those that are needed."""
    found = {tool.name: given for tool in server.tools if (given := _given(tool))}
    return literal(found, before=len(_EXAMPLES))


def _given(tool: ToolSpec) -> dict[str, Value]:
    """The best example of a tool; none where a call needs nothing."""
    scenarios = {each.name: dict(each.arguments) for each in tool.scenarios}
    known = (scenarios.get(name, {}) for name in ("example", "required_only"))
    return next((each for each in known if each and len(json.dumps(each)) <= MOST), {})
