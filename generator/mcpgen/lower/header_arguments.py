"""Arguments whose values stand in a header too, where what lies between client and server reads them.

https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from mcpgen.diagnostics import Diagnostics
from mcpgen.diagnostics.codes import tool_options as codes
from mcpgen.ir.server import MIRROR, ArgumentSpec, ToolSpec

_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_TYPES = ("string", "integer", "boolean")


def report_unfit_mirrors(tool: ToolSpec, diagnostics: Diagnostics) -> None:
    """Adds UNFIT_MIRROR for each header that the specification does not allow: clients drop a tool
    that has one."""
    for argument, reason in _unfit(tool):
        diagnostics.add(
            codes.UNFIT_MIRROR,
            argument.at,
            name=argument.name,
            tool=tool.name,
            header=str(argument.schema[MIRROR])[:60],
            reason=reason,
        )


def _unfit(tool: ToolSpec) -> Iterator[tuple[ArgumentSpec, str]]:
    """The arguments whose header cannot be, and why."""
    takers: dict[str, str] = {}
    for argument in tool.arguments:
        if MIRROR not in argument.schema:
            continue
        folded = str(argument.schema[MIRROR]).lower()
        if reason := _reason(argument):
            yield argument, reason
        elif folded in takers:
            yield argument, f"it is that of `{takers[folded]}`, and capitals make no difference"
        takers.setdefault(folded, argument.name)


def _reason(argument: ArgumentSpec) -> str:
    """Why a header cannot repeat the value of an argument, or `""`."""
    if argument.hidden:
        return "no call can give the argument a value"
    if not _TOKEN.fullmatch(str(argument.schema[MIRROR])):
        return "a header's name is letters, digits and some signs, without spaces"
    if argument.schema.get("type") not in _TYPES:
        return "only a text, a whole number or true and false can stand in a header"
    if argument.schema.get("format") == "password":
        return "a secret must not stand where everything between client and server reads it"
    return ""
