"""Reports findings of `openspec validate`, and additional findings."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence

from mcpgen.diagnostics import Diagnostics
from mcpgen.diagnostics.codes import openspec as codes
from mcpgen.openspec.model.requirements import Requirement
from mcpgen.openspec.parse.headings import (
    Section,
    find,
    misplaced_headings,
    requirement_title,
)
from mcpgen.openspec.parse.lines import Lines, blank, join_lines, trim
from mcpgen.openspec.parse.steps import Draft, demand

LIMIT = 500
"""OpenSpec's limit for the text of a requirement, in UTF-16 code units."""

_NORMATIVE = re.compile(r"\b(?:SHALL|MUST)\b", re.A)


def report_requirement(
    text: Lines,
    draft: Draft,
    requirement: Requirement,
    levels: Container[int],
    diagnostics: Diagnostics,
) -> None:
    """Reports findings about a requirement and its scenarios.

    `levels` are the heading levels of scenarios in OpenSpec. Adds MG713, MG714, MG717, MG718,
    MG721, MG728 and MG729.
    """
    section, scenarios = draft
    name, at = requirement.name, requirement.at
    statement = demand(text, section)
    if requirement_title(section.line.text) is not None:
        if not statement:
            diagnostics.add(codes.EMPTY_REQUIREMENT, at, name=name)
        elif not _NORMATIVE.search(statement):
            diagnostics.add(codes.NO_NORMATIVE_WORD, at, name=name)
    if (count := javascript_length(statement)) > LIMIT:
        diagnostics.add(codes.LONG_REQUIREMENT, at, name=name, count=count, limit=LIMIT)
    if all(blank(scenario.text) for scenario in requirement.scenarios):
        diagnostics.add(codes.UNPROVEN_REQUIREMENT, at, name=name)
    first: dict[str, int] = {}
    for heading, scenario in zip(scenarios, requirement.scenarios, strict=True):
        if heading.level not in levels:
            diagnostics.add(codes.MISWRITTEN_SCENARIO, scenario.at, name=scenario.name)
        if scenario.name in first:
            diagnostics.add(
                codes.DUPLICATE_SCENARIO,
                scenario.at,
                requirement=name,
                name=scenario.name,
                line=first[scenario.name],
            )
        first.setdefault(scenario.name, scenario.at.line)
        if not scenario.steps:
            diagnostics.add(codes.EMPTY_SCENARIO, scenario.at, name=scenario.name)


def javascript_length(text: str) -> int:
    """Returns the length of a text in UTF-16 code units, as counted by JavaScript.

    Example: `javascript_length("😀")` gives `2`.
    """
    return len(text.encode("utf-16-le", errors="surrogatepass")) // 2


ENOUGH = 50
"""OpenSpec's minimum length of a Purpose, in UTF-16 code units."""

PLACEHOLDER = ("TBD - created by archiving change ", ". Update Purpose after archive.")
"""Text before and after the change's name in the Purpose written by `openspec archive`."""

_SHOUTED = re.compile(r"(?:TBD|TODO)(?!\w)")
_PUNCTUATED = re.compile(r"(?:TBD|TODO)(?!\w)(?=[ \t]*(?:$|[:\-–—.,;()\[\]{}]))", re.I | re.M)


def report_purpose(text: Lines, purpose: Section | None, diagnostics: Diagnostics) -> None:
    """Reports a missing or unfinished Purpose. Adds MG716 and MG722."""
    content = trim(join_lines(text.lines[purpose.start + 1 : purpose.end])) if purpose else ""
    if purpose is None or not content:
        at = purpose.line.at() if purpose else text.lines[0].at()
        diagnostics.add(codes.MISSING_SECTION, at, section="Purpose")
        return
    body = text.part(purpose.start + 1, purpose.end)
    open_lines = (line for line, code in zip(*body, strict=True) if not code)
    prose = trim(join_lines(open_lines))
    at = purpose.line.at()
    if _SHOUTED.match(prose) or _PUNCTUATED.match(prose) or _generated(prose):
        diagnostics.add(codes.UNWRITTEN_PURPOSE, at, what="not written yet")
    elif javascript_length(content) < ENOUGH:
        diagnostics.add(codes.UNWRITTEN_PURPOSE, at, what=f"shorter than {ENOUGH} characters")


def _generated(prose: str) -> bool:
    """Returns whether the Purpose contains the placeholder of `openspec archive`."""
    before, behind = PLACEHOLDER
    return before in prose and behind in prose[prose.index(before) :]


def report_spec(
    text: Lines,
    sections: list[Section],
    drafts: Sequence[tuple[Draft, Requirement]],
    diagnostics: Diagnostics,
) -> None:
    """Reports findings of `openspec validate` and additional findings about a spec.

    Adds MG713, MG714, MG716–MG722, MG728 and MG729.
    """
    top = text.lines[0].at()
    report_purpose(text, find(sections, "purpose"), diagnostics)
    if find(sections, "requirements") is None:
        diagnostics.add(codes.MISSING_SECTION, top, section="Requirements")
    for misplaced in misplaced_headings(text):
        at, heading = misplaced.line.at(), trim(misplaced.line.text)
        if misplaced.twin:
            diagnostics.add(
                codes.DUPLICATE_REQUIREMENT, at, name=misplaced.name, line=misplaced.twin
            )
            continue
        diagnostics.add(
            codes.MISPLACED_REQUIREMENT,
            at,
            heading=heading,
            reason=misplaced.reason,
            remedy=misplaced.remedy,
        )
    for draft, requirement in drafts:
        levels = range(draft[0].level + 1, 7)
        report_requirement(text, draft, requirement, levels, diagnostics)
