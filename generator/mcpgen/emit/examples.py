"""The example calls in documentation tools, taken from the tests of the project."""

from __future__ import annotations

import json

from mcpgen.emit.code import SourceText, literal
from mcpgen.emit.literal import Value
from mcpgen.ir.server import Server, ToolSpec

MOST = 1_000
"""The most characters of a call as JSON. A longer example costs more to read than the example
explains."""

_EXAMPLES = "EXAMPLES: dict[str, dict[str, Json]] = "


def examples(server: Server) -> SourceText:
    """The arguments of an example call by tool, for every tool with a short example: the document's
    example, or else only the required arguments."""
    found = {tool.name: given for tool in server.tools if (given := _given(tool))}
    return literal(found, before=len(_EXAMPLES))


def _given(tool: ToolSpec) -> dict[str, Value]:
    """The best example of a tool; `{}` if a call needs no arguments or every example is too long."""
    scenarios = {each.name: dict(each.arguments) for each in tool.scenarios}
    known = (scenarios.get(name, {}) for name in ("example", "required_only"))
    return next((each for each in known if each and len(json.dumps(each)) <= MOST), {})
