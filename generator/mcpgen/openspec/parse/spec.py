"""A spec, as opposed to a delta: requirements by OpenSpec's section reader, and by people."""

from __future__ import annotations

from collections.abc import Sequence

from mcpgen.diagnostics import Diagnostics
from mcpgen.openspec.model.requirements import Requirements
from mcpgen.openspec.parse.blocks import Draft, outer_text, requirement_of
from mcpgen.openspec.parse.headings import SCENARIO, Section, find, is_named, sections_of
from mcpgen.openspec.parse.lines import Line, Lines, digest_of, join_lines
from mcpgen.openspec.parse.repair_headings import repair_headings
from mcpgen.openspec.parse.spec_findings import report_spec

UNREAD = ("removed requirements", "renamed requirements")
"""Sections of a delta that hold what a server shall not do."""


def main_spec(
    lines: Sequence[Line], capability: str, diagnostics: Diagnostics
) -> Requirements | None:
    """The requirements of a spec; None, with an error told, where it holds none.

    Where OpenSpec's readers disagree this is its section reader, which `validate`, `list` and
    `show` go by: below `## Requirements` every heading is a requirement, and every heading in it a
    scenario. What stands elsewhere and is called a requirement is read too.
    """
    text = Lines.of(repair_headings(lines, diagnostics))
    sections = sections_of(text)
    drafts = requirements_in(sections)
    found = [requirement_of(text, draft) for draft in drafts]
    report_spec(text, sections, list(zip(drafts, found, strict=True)), diagnostics)
    if not found:
        return None
    purpose = find(sections, "purpose")
    return Requirements(
        capability,
        sections[0].title if sections[0].level == 1 else "",
        outer_text(text, purpose) if purpose else "",
        tuple(found),
        digest_of(join_lines(lines)),
        lines[0].at(),
    )


def requirements_in(sections: list[Section]) -> list[Draft]:
    """The sections of requirements, each with those of its scenarios, in document order.

    A heading `Scenario:` beside requirements is a scenario of the one before; a heading that holds
    headings `Requirement:` is a group of requirements.
    """
    main = find(sections, "requirements")
    inside = {child.start for child in main.children} if main else set()
    drafts: list[Draft] = []
    waiting = list(reversed(sections))
    while waiting:
        section = waiting.pop()
        grouped = any(map(is_named, section.children))
        after = bool(drafts) and not SCENARIO.match(drafts[-1][0].title)
        if section.start in inside and after and SCENARIO.match(section.title):
            drafts[-1][1].append(section)
        elif is_named(section) or (section.start in inside and not grouped):
            drafts.append((section, list(section.children)))
        elif section.title.lower() not in UNREAD:
            waiting.extend(reversed(section.children))
    return drafts
