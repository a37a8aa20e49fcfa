"""Whether there is an MCP server at all."""

from __future__ import annotations

from collections.abc import Iterator

from mcpgen.conformance import revisions as r
from mcpgen.conformance.check_context import CheckContext
from mcpgen.conformance.check_result import Finding
from mcpgen.conformance.checks.check_def import CheckDef, SpecPage, page

_PAGE = SpecPage("Versioning", page("2026-07-28", "basic/versioning"))

SPEAKS_MCP = _PAGE.must(
    "speaks-mcp",
    "The address answers `server/discover` or `initialize` as an MCP server.",
    "Backward Compatibility",
    "Every other check needs a server that answers. When this one fails, the others are reported as "
    "failed because they could not be made; this one says what the address answered instead.",
    "Give the full address of the MCP endpoint (often ending in `/mcp`), start the server, and pass "
    "the credentials it wants.",
)


def _speaks(visit: CheckContext) -> Iterator[Finding]:
    if visit.talk.spoken:
        return
    older = visit.sibling(r.LEGACY[-1]).talk
    result = (older.opening.response("opening") or {}).get("result")
    answered = result.get("protocolVersion") if isinstance(result, dict) else None
    if answered in r.LEGACY:
        return
    expected = "a result for `server/discover` or `initialize`, in a revision of MCP"
    yield Finding(expected, f"{older.opening}")


RULES = (CheckDef(SPEAKS_MCP, _speaks),)
