"""Lists of a server, read page by page."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Self, TypeVar

from mcpgen.conformance.client_session import ProbeSession
from mcpgen.conformance.exchange import HttpExchange
from mcpgen.conformance.model import DEADLINE, Finding, NotApplicable, PrerequisiteMissing
from mcpgen.conformance.revisions import LISTS, METHOD_NOT_FOUND
from mcpgen.conformance.strict_json import Json

_Item = TypeVar("_Item", covariant=True)

MAX_PAGES = 1_000


class TimedTuple(tuple[_Item, ...]):
    """A tuple whose iteration raises PrerequisiteMissing after `ends` (monotonic seconds).

    Checks loop over tools, and a hostile server may announce any number. A slice is a plain tuple.
    """

    ends: float

    @classmethod
    def until(cls, ends: float, items: Iterable[_Item]) -> Self:
        """The items, iterable until `ends`."""
        timed = cls(items)
        timed.ends = ends
        return timed

    def __iter__(self) -> Iterator[_Item]:
        """The items in order."""
        for item in super().__iter__():
            if time.monotonic() >= self.ends:
                raise PrerequisiteMissing(
                    "the check is made in the time allowed for all checks",
                    "the time was over before the check was",
                    DEADLINE,
                )
            yield item


@dataclass(frozen=True, slots=True)
class PagedList:
    """All pages of a list. `problem`: the reason for a missing last page. `key`: the member of a
    page with the entries. Iteration stops at the end of the run.
    """

    pages: TimedTuple[dict[str, Json]]
    first: HttpExchange
    problem: Finding | None = None
    key: str = "tools"

    @property
    def named_entries(self) -> TimedTuple[dict[str, Json]]:
        """The entries that are objects with a name, in order."""
        pairs = (
            entry
            for entry in self.entries
            if isinstance(entry, dict) and isinstance(entry.get("name"), str)
        )
        return TimedTuple.until(self.pages.ends, pairs)

    @property
    def entries(self) -> TimedTuple[Json]:
        """All entries of all pages, of any JSON type, in order."""
        entries = (entry for page in self.pages for entry in _as_list(page.get(self.key)))
        return TimedTuple.until(self.pages.ends, entries)


def list_tools(session: ProbeSession) -> PagedList:
    """All pages of `tools/list`. Raises PrerequisiteMissing if the first page is not a result."""
    return read_list(session, "tools/list")


def read_list(session: ProbeSession, method: str) -> PagedList:
    """Reads all pages of the list `method`.

    Raises NotApplicable if the capability is not declared, or for unknown
    `resources/templates/list` (optional beside resources). Raises PrerequisiteMissing if the first
    page is not a result, or if all pages exceed `max_bytes` together: a partial list would fill the
    memory.
    """
    capability, key = LISTS[method]
    session.require_capability(capability)
    session.open()
    pages: list[dict[str, Json]] = []
    cursors: list[str] = []
    first: HttpExchange | None = None
    length = 0

    def listing(problem: Finding | None = None) -> PagedList:
        assert first is not None
        return PagedList(TimedTuple.until(session.probe.ends, pages), first, problem, key)

    while True:
        identifier = session.next_id()
        exchange = session.send(
            method, {"cursor": cursors[-1]} if cursors else None, identifier=identifier
        )
        first = first or exchange
        if method == "resources/templates/list" and exchange.code == METHOD_NOT_FOUND:
            raise NotApplicable("resource templates")
        try:
            page = session.result_of(exchange, identifier, method)
        except PrerequisiteMissing as error:
            if not pages:
                raise
            return listing(error.finding)
        pages.append(page)
        length += len(exchange.body)
        if length > session.options.max_bytes:
            limit, count = f"{session.options.max_bytes:,} bytes", len(pages)
            raise PrerequisiteMissing(
                f"all pages of `{method}` have at most {limit}", f"more on {count} pages"
            )
        cursor = page.get("nextCursor")
        if cursor is None:
            return listing()
        problem = _cursor_problem(cursor, cursors)
        if problem:
            return listing(problem)
        cursors.append(cursor)


def _cursor_problem(cursor: Json, cursors: list[str]) -> Finding | None:
    if not isinstance(cursor, str):
        return Finding("`nextCursor` is a string", f"{type(cursor).__name__}")
    if cursor in cursors:
        # No revision forbids a cursor that repeats; Pagination: servers SHOULD provide stable cursors.
        return Finding("the pages come to an end", f"cursor {cursor!r} came twice", warns=True)
    if len(cursors) >= MAX_PAGES:
        return Finding("the pages come to an end", f"still more after {MAX_PAGES} pages")
    return None


def _as_list(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []
