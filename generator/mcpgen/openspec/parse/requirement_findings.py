"""What OpenSpec holds against a requirement, and what we do, wherever it stands."""

from __future__ import annotations

import re
from collections.abc import Container

from mcpgen.diagnostics import Diagnostics
from mcpgen.diagnostics.codes import openspec as codes
from mcpgen.openspec.model.requirements import Requirement
from mcpgen.openspec.parse.blocks import Draft, demand
from mcpgen.openspec.parse.headings import (
    requirement_title,
)
from mcpgen.openspec.parse.lines import Lines, blank

LIMIT = 500
"""Characters of a requirement's text, as JavaScript counts them, that OpenSpec finds enough."""

_NORMATIVE = re.compile(r"\b(?:SHALL|MUST)\b", re.A)


def report_requirement(
    text: Lines,
    draft: Draft,
    requirement: Requirement,
    levels: Container[int],
    diagnostics: Diagnostics,
) -> None:
    """Tells of a requirement and its scenarios; `levels` are those at which OpenSpec sees a scenario.

    Adds MG713, MG714, MG717, MG718, MG721, MG728 and MG729.
    """
    section, scenarios = draft
    name, at = requirement.name, requirement.at
    said = demand(text, section)
    if requirement_title(section.line.text) is not None:
        if not said:
            diagnostics.add(codes.EMPTY_REQUIREMENT, at, name=name)
        elif not _NORMATIVE.search(said):
            diagnostics.add(codes.NO_NORMATIVE_WORD, at, name=name)
    if (count := javascript_length(said)) > LIMIT:
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
    """The length of a text in UTF-16 code units, which JavaScript counts."""
    return len(text.encode("utf-16-le", errors="surrogatepass")) // 2
