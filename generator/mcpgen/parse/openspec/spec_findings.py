"""What OpenSpec holds against a spec as a whole."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mcpgen.diagnostics import Diagnostics
from mcpgen.diagnostics.codes import openspec as codes
from mcpgen.ir.markdown import SPACE
from mcpgen.parse.openspec.blocks import Draft
from mcpgen.parse.openspec.headings import NAMED, Section, find, requirement_name
from mcpgen.parse.openspec.lines import Lines, trimmed
from mcpgen.parse.openspec.purpose import tell_of_purpose
from mcpgen.parse.openspec.requirement_findings import tell_of_requirement

_SECTION = re.compile(rf"##[{SPACE}]+")
_REQUIREMENTS = re.compile(rf"##[{SPACE}]+requirements[{SPACE}]*\Z", re.I | re.A)
_OF_A_DELTA = re.compile(
    rf"##[{SPACE}]+(?:added|modified|removed|renamed)[{SPACE}]+requirements[{SPACE}]*\Z",
    re.I | re.A,
)


def tell_of_spec(
    text: Lines, sections: list[Section], drafts: Sequence[Draft], diagnostics: Diagnostics
) -> None:
    """Tells what `openspec validate` would, and what people would.

    Adds MG713–MG722, MG728 and MG729.
    """
    top = text.lines[0].at()
    if not drafts:
        diagnostics.add(codes.NO_REQUIREMENT, top)
    tell_of_purpose(text, find(sections, "purpose"), diagnostics)
    if find(sections, "requirements") is None:
        diagnostics.add(codes.MISSING_SECTION, top, section="Requirements")
    _tell_of_places(text, drafts, diagnostics)
    for section, scenarios in drafts:
        levels = range(section.level + 1, 7)
        tell_of_requirement(text, section, scenarios, levels, diagnostics)


def _tell_of_places(text: Lines, drafts: Sequence[Draft], diagnostics: Diagnostics) -> None:
    """Tells of headings of deltas, and of requirements that stand outside their section or twice.

    OpenSpec looks for these line by line: only `## Requirements` itself is the section.
    """
    start, end = _region(text)
    for line, code in zip(*text, strict=True):
        if not code and _OF_A_DELTA.match(line.text):
            diagnostics.add(
                codes.MISPLACED_REQUIREMENT,
                line.at(),
                heading=trimmed(line.text),
                reason="it is the heading of a delta, and this is a spec",
                remedy="write the delta to `changes/<change>/specs/`, or the heading `## Requirements`",
            )
    first: dict[str, int] = {}
    for section, _ in drafts:
        name = requirement_name(section.title)
        if not NAMED.match(section.title):
            continue
        if not start < section.start < end or section.level != 3:
            diagnostics.add(
                codes.MISPLACED_REQUIREMENT,
                section.line.at(),
                heading=trimmed(section.line.text),
                reason="OpenSpec reads `### Requirement:` below `## Requirements`, and nothing else",
                remedy="move it there",
            )
        elif name in first:
            diagnostics.add(
                codes.DUPLICATE_REQUIREMENT, section.line.at(), name=name, line=first[name]
            )
        first.setdefault(name, section.line.number)


def _region(text: Lines) -> tuple[int, int]:
    """The indexes of the line `## Requirements` and of the next section's; of nothing without."""
    start = len(text.lines)
    for index, (line, code) in enumerate(zip(*text, strict=True)):
        if code or not _SECTION.match(line.text):
            continue
        if start < index:
            return start, index
        if _REQUIREMENTS.match(line.text):
            start = index
    return start, len(text.lines)
