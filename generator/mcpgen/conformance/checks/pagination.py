"""Pages of lists: they come to an end, and their cursors are the server's own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from mcpgen.conformance import revisions as r
from mcpgen.conformance.check_context import CheckContext
from mcpgen.conformance.check_result import Finding, NotApplicable
from mcpgen.conformance.checks.check_def import CheckDef, SpecPage, page
from mcpgen.conformance.paged_lists import LISTS, PagedList, walk

_TOOLS = SpecPage("Tools", page("2026-07-28", "server/tools"), r.MODERN)
_PAGING = SpecPage("Pagination", page("2025-11-25", "server/utilities/pagination"), r.ALL)


def _pages_end(visit: CheckContext) -> Iterator[Finding]:
    for method in _lists(visit):
        if problem := visit.walked(method).problem:
            yield Finding(f"{problem.expected}, in `{method}`", problem.saw)


def _bad_cursor(visit: CheckContext) -> Iterator[Finding]:
    for method in _lists(visit):
        exchange = visit.talk.send(method, {"cursor": "no such cursor"})
        if exchange.code != r.INVALID_PARAMS:
            expected = f"the error -32602 for a cursor that `{method}` never issued"
            yield Finding(expected, str(exchange))


def _same_everywhere(visit: CheckContext) -> Iterator[Finding]:
    for method in _lists(visit):
        before = _names(visit.walked(method))
        visit.talk.probe.close()
        after = _names(walk(visit.talk, method))
        if before != after:
            expected = f"the same entries of `{method}` over another connection"
            yield Finding(expected, f"only sometimes: {', '.join(sorted(before ^ after))}")


def _names(listing: PagedList) -> set[str]:
    return {str(entry["name"]) for entry in listing.tools}


def _lists(visit: CheckContext) -> Iterator[str]:
    """The methods of the lists the server has. Raises NotDeclared when it has none."""
    declared = [method for method, one in LISTS.items() if visit.talk.declares(one[0])]
    if not declared:
        raise NotApplicable("lists")
    for method in declared:
        # Resources may come without templates, which are no capability of their own.
        with suppress(NotApplicable):
            visit.walked(method)
            yield method


RULES = (
    CheckDef(
        _PAGING.must(
            "pagination-ends",
            "Following `nextCursor` comes to an end.",
            "Response Format",
            "A cursor that repeats keeps a client asking for ever.",
            "Leave `nextCursor` out on the last page.",
        ),
        _pages_end,
    ),
    CheckDef(
        _PAGING.should(
            "cursor-unknown-32602",
            "A cursor that was never issued gets the error -32602.",
            "Error Handling",
            "Answering with the first page makes a client with a stale cursor start over unawares.",
            "Refuse cursors you did not issue; without pagination that is every cursor.",
        ),
        _bad_cursor,
    ),
    CheckDef(
        _TOOLS.must(
            "lists-same-on-every-connection",
            "Tools, prompts and resources are the same whatever connection they are asked over.",
            "Capabilities",
            "The revision has no sessions: a client asks over one connection and calls over "
            "another.",
            "Let a list depend on the request's credentials at most, never on the connection.",
        ),
        _same_everywhere,
    ),
)
