"""A row of the table of checks: a requirement with the function that finds violations."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypedDict, Unpack

from mcpgen.conformance.check_context import CheckContext
from mcpgen.conformance.checks.texts import TEXTS
from mcpgen.conformance.model import Check, Finding, Level
from mcpgen.conformance.revisions import SPECIFICATION

Judge = Callable[[CheckContext], Iterable[Finding]]
"""Yields the violations of a check; nothing if the server meets the requirement.

Raises PrerequisiteMissing or NotApplicable."""


@dataclass(frozen=True, slots=True)
class CheckDef:
    """A check and its judge.

    `calls`: looks at calls of tools; left out if no tool may be called. `active`: intrudes; made
    only with `--active`. `unauthenticated`: works on a server that refuses every request without
    credentials. `listing_only`: looks at the announced tools alone, so a saved list is enough.
    `stdio`: looks at the process, so made over stdio alone.
    `any_version`: also made in a revision that the server did not agree to, if the opening request
    has a result; only violations count there. `without_opening`: the same without such a result.
    """

    check: Check
    judge: Judge
    calls: bool = False
    active: bool = False
    unauthenticated: bool = False
    listing_only: bool = False
    any_version: bool = False
    stdio: bool = False
    without_opening: bool = False


class CheckFlags(TypedDict, total=False):
    """The flags of a CheckDef, as keywords of a row."""

    calls: bool
    active: bool
    unauthenticated: bool
    listing_only: bool
    any_version: bool
    stdio: bool
    without_opening: bool


@dataclass(frozen=True, slots=True)
class SpecPage:
    """A page that states requirements: name, URL, revisions and profile of its checks.

    `revisions` are the protocol revisions in which the checks are made; `()`: made once. Example:
    `SpecPage("Tools", spec_url("2026-07-28", "server/tools")).must("tool-name-legal", "Tool Names",
    _check_tool_name_legal)`.
    """

    name: str
    url: str
    revisions: tuple[str, ...] = ()
    profile: str = "protocol"

    def must(self, id: str, clause: str, judge: Judge, **flags: Unpack[CheckFlags]) -> CheckDef:
        """A check of a MUST in `clause`. Raises KeyError for an id without texts."""
        return CheckDef(self.check(id, Level.MUST, clause), judge, **flags)

    def should(self, id: str, clause: str, judge: Judge, **flags: Unpack[CheckFlags]) -> CheckDef:
        """A check of a SHOULD in `clause`. Raises KeyError for an id without texts."""
        return CheckDef(self.check(id, Level.SHOULD, clause), judge, **flags)

    def host(self, id: str, clause: str, judge: Judge, **flags: Unpack[CheckFlags]) -> CheckDef:
        """A check of a need of hosts. Raises KeyError for an id without texts."""
        return CheckDef(self.check(id, Level.HOST, clause), judge, **flags)

    def own(self, id: str, clause: str, judge: Judge, **flags: Unpack[CheckFlags]) -> CheckDef:
        """A check of a requirement of mcpgen. Raises KeyError for an id without texts."""
        return CheckDef(self.check(id, Level.OWN, clause), judge, **flags)

    def check(self, id: str, level: Level, clause: str = "") -> Check:
        """A check without a judge, made by other code. Raises KeyError for an id without texts."""
        text = TEXTS[id]
        return Check(
            id=id,
            level=level,
            profile=self.profile,
            sentence=text.sentence,
            clause=f"{self.name}, {clause}" if clause else self.name,
            url=self.url,
            explanation=text.explanation,
            fix=text.fix,
            revisions=self.revisions,
        )


def spec_url(revision: str, path: str) -> str:
    """The URL of a page of the specification."""
    return f"{SPECIFICATION}/{revision}/{path}"


def binding(name: str, url: str) -> SpecPage:
    """The page of the host with the strictest requirement, for checks of the profile `universal`."""
    return SpecPage(name, url, profile="universal")
