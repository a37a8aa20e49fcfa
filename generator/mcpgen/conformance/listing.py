"""The tools a server announces, read page by page."""

from __future__ import annotations

from dataclasses import dataclass

from mcpgen.conformance.conversation import Conversation
from mcpgen.conformance.exchange import Exchange
from mcpgen.conformance.findings import Finding, Unmet
from mcpgen.conformance.strict_json import Json

MAX_PAGES = 1_000


@dataclass(frozen=True, slots=True)
class Listing:
    """Every page of one walk through `tools/list`. `problem` is why the walk ended early."""

    pages: tuple[dict[str, Json], ...]
    first: Exchange
    problem: Finding | None = None

    @property
    def tools(self) -> tuple[dict[str, Json], ...]:
        """The announced tools that are objects with a name, in order."""
        return tuple(
            tool
            for page in self.pages
            for tool in _list(page.get("tools"))
            if isinstance(tool, dict) and isinstance(tool.get("name"), str)
        )


def list_tools(talk: Conversation) -> Listing:
    """The listing that one walk brings. Raises Unmet when the first page cannot be had."""
    talk.declared("tools")
    talk.ready()
    pages: list[dict[str, Json]] = []
    seen: list[str] = []
    first: Exchange | None = None
    while True:
        identifier = talk.next_id()
        exchange = talk.send(
            "tools/list", {"cursor": seen[-1]} if seen else None, identifier=identifier
        )
        first = first or exchange
        try:
            page = talk.result_of(exchange, identifier, "tools/list")
        except Unmet as error:
            if not pages:
                raise
            return Listing(tuple(pages), first, error.finding)
        pages.append(page)
        cursor = page.get("nextCursor")
        if cursor is None:
            return Listing(tuple(pages), first)
        problem = _cursor_problem(cursor, seen)
        if problem:
            return Listing(tuple(pages), first, problem)
        seen.append(cursor)


def _cursor_problem(cursor: Json, seen: list[str]) -> Finding | None:
    if not isinstance(cursor, str):
        return Finding("`nextCursor` is a string", f"{type(cursor).__name__}")
    if cursor in seen:
        return Finding("the pages come to an end", f"cursor {cursor!r} came twice")
    if len(seen) >= MAX_PAGES:
        return Finding("the pages come to an end", f"still more after {MAX_PAGES} pages")
    return None


def _list(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []
