"""Builds requirements and scenarios from sections."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable

from mcpgen.diagnostics import Location
from mcpgen.openspec.model.markdown import SPACE
from mcpgen.openspec.model.requirements import Requirement, RequirementChange, Scenario, Step
from mcpgen.openspec.parse.headings import Section, requirement_name, scenario_name
from mcpgen.openspec.parse.lines import Lines, blank, join_lines, trim
from mcpgen.openspec.parse.steps import parse_steps

Draft = tuple[Section, list[Section]]
"""Section of a requirement, and the sections of its scenarios in document order."""

_METADATA = re.compile(r"\*\*[^*]+\*\*:")


def requirement_of(
    text: Lines, draft: Draft, change: RequirementChange | None = None, was: str = ""
) -> Requirement:
    """Builds a requirement from its section and scenario sections."""
    section, scenarios = draft
    said = outer_text(text, section)
    return Requirement(
        requirement_name(section.title),
        said,
        tuple(scenario_of(text, each) for each in scenarios),
        section.line.at(),
        change,
        was,
        _places(text, section, said),
    )


def scenario_of(text: Lines, section: Section) -> Scenario:
    """Builds a scenario from its section."""
    name = scenario_name(section.title)
    body = text.part(section.start + 1, section.end)
    steps = parse_steps(body)
    return Scenario(name, steps, _block(body), _digest(name, steps), section.line.at())


def outer_text(text: Lines, section: Section) -> str:
    """Returns the text of a section above the first child, as written."""
    end = section.children[0].start if section.children else section.end
    return _block(text.part(section.start + 1, end))


def _places(text: Lines, section: Section, said: str) -> tuple[Location, ...]:
    """Returns the positions of the lines of a section's outer text."""
    count = said.count("\n") + 1 if said else 0
    below = text.lines[section.start + 1 :]
    first = next((index for index, line in enumerate(below) if not blank(line.text)), 0)
    return tuple(line.at() for line in below[first : first + count])


def demand(text: Lines, section: Section) -> str:
    """Returns the text of a requirement as judged by OpenSpec.

    Lines are trimmed; blank and fenced lines are dropped, and metadata like `**Priority**: high`
    unless nothing else remains.
    """
    end = section.children[0].start if section.children else section.end
    body = text.part(section.start + 1, end)
    lines = [
        trim(line.text)
        for line, code in zip(body.lines, body.fenced, strict=True)
        if not code and not blank(line.text)
    ]
    sentences = [line for line in lines if not _METADATA.match(line)]
    return "\n".join(sentences or lines)


def _block(body: Lines) -> str:
    """Returns the lines without surrounding blank lines."""
    return re.sub(rf"\A(?:[{SPACE}]*\n)+", "", join_lines(body.lines)).rstrip()


def _digest(name: str, steps: Iterable[Step]) -> str:
    """Returns the digest of name and steps."""
    said = "\n".join([name, *(f"{step.keyword} {step.text}" for step in steps)])
    return hashlib.sha256(said.encode("utf-8", errors="surrogatepass")).hexdigest()[:12]
