"""What OpenSpec holds against a requirement, and what we do, wherever it stands."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence

from mcpgen.diagnostics import Diagnostics
from mcpgen.diagnostics.codes import openspec as codes
from mcpgen.parse.openspec.blocks import demand
from mcpgen.parse.openspec.headings import (
    Section,
    requirement_name,
    requirement_title,
    scenario_name,
)
from mcpgen.parse.openspec.lines import Lines, blank
from mcpgen.parse.openspec.steps import steps_of

LIMIT = 500
"""Characters of a requirement's text, as JavaScript counts them, that OpenSpec finds enough."""

_NORMATIVE = re.compile(r"\b(?:SHALL|MUST)\b", re.A)


def tell_of_requirement(
    text: Lines,
    section: Section,
    scenarios: Sequence[Section],
    levels: Container[int],
    diagnostics: Diagnostics,
) -> None:
    """Tells of a requirement and its scenarios; `levels` are those at which OpenSpec sees a scenario.

    Adds MG713, MG714, MG717, MG718, MG721, MG728 and MG729.
    """
    name, at = requirement_name(section.title), section.line.at()
    said = demand(text, section)
    if requirement_title(section.line.text) is not None:
        if not said:
            diagnostics.add(codes.EMPTY_REQUIREMENT, at, name=name)
        elif not _NORMATIVE.search(said):
            diagnostics.add(codes.NO_NORMATIVE_WORD, at, name=name)
    if (count := javascript_length(said)) > LIMIT:
        diagnostics.add(codes.LONG_REQUIREMENT, at, name=name, count=count, limit=LIMIT)
    if not any(holds_text(text, scenario.start, scenario.end) for scenario in scenarios):
        diagnostics.add(codes.UNPROVEN_REQUIREMENT, at, name=name)
    first: dict[str, int] = {}
    for scenario in scenarios:
        called, place = scenario_name(scenario.title), scenario.line.at()
        if scenario.level not in levels:
            diagnostics.add(codes.MISWRITTEN_SCENARIO, place, name=called)
        if called in first:
            diagnostics.add(
                codes.DUPLICATE_SCENARIO, place, requirement=name, name=called, line=first[called]
            )
        first.setdefault(called, scenario.line.number)
        if not steps_of(text.part(scenario.start + 1, scenario.end)):
            diagnostics.add(codes.EMPTY_SCENARIO, place, name=called)


def holds_text(text: Lines, start: int, end: int) -> bool:
    """Whether anything but white space stands below a heading, up to an index."""
    return any(not blank(line.text) for line in text.lines[start + 1 : end])


def javascript_length(text: str) -> int:
    """The length of a text in UTF-16 code units, which JavaScript counts."""
    return len(text.encode("utf-16-le", errors="surrogatepass")) // 2
