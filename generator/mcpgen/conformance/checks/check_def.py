"""A row of the table of checks: what is demanded and the function that judges it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from mcpgen.conformance.check_context import CheckContext
from mcpgen.conformance.check_result import Finding
from mcpgen.conformance.model import Check, Level
from mcpgen.conformance.revisions import SPECIFICATION

Judge = Callable[[CheckContext], Iterable[Finding]]


@dataclass(frozen=True, slots=True)
class CheckDef:
    """A check and its judge, which gives the violations it finds. `calls` tells that it looks at
    calls of tools, so it is not made when calling is not allowed; `active` that it intrudes, so it
    is made only when that is allowed; `at_the_door` that it needs no more than a server that asks
    for credentials; `still` that it looks at the announced tools only, so that a saved list can be
    judged, too."""

    check: Check
    judge: Judge
    calls: bool = False
    active: bool = False
    at_the_door: bool = False
    still: bool = False


def page(revision: str, path: str) -> str:
    """The address of a page of the specification."""
    return f"{SPECIFICATION}/{revision}/{path}"


@dataclass(frozen=True, slots=True)
class SpecPage:
    """A page of the specification, to write the rows of a table with. `profile`, `revisions` and
    `url` are what the rows share."""

    name: str
    url: str
    revisions: tuple[str, ...] = ()
    profile: str = "protocol"

    def must(self, id: str, sentence: str, clause: str, why: str, fix: str) -> Check:
        """A check whose violation breaks a MUST of this page."""
        return self._check(id, Level.MUST, sentence, clause, why, fix)

    def should(self, id: str, sentence: str, clause: str, why: str, fix: str) -> Check:
        """A check whose violation goes against a SHOULD of this page."""
        return self._check(id, Level.SHOULD, sentence, clause, why, fix)

    def host(self, id: str, sentence: str, clause: str, why: str, fix: str) -> Check:
        """A check of what hosts are known to need."""
        return self._check(id, Level.HOST, sentence, clause, why, fix)

    def _check(
        self, id: str, level: Level, sentence: str, clause: str, why: str, fix: str
    ) -> Check:
        clause = f"{self.name}, {clause}" if clause else self.name
        return Check(id, level, self.profile, sentence, clause, self.url, why, fix, self.revisions)


def binding(name: str, url: str) -> SpecPage:
    """The page about the one host whose demand is the tightest, which binds all who want to be
    everywhere."""
    return SpecPage(name, url, profile="universal")
