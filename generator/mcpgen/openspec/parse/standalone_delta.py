"""A delta that is read without the spec it changes: what it adds and modifies."""

from __future__ import annotations

from collections.abc import Sequence

from mcpgen.diagnostics import Diagnostics, Severity
from mcpgen.diagnostics.codes import openspec as codes
from mcpgen.openspec.model.requirements import Requirement, RequirementChange, Requirements
from mcpgen.openspec.parse.blocks import Draft, outer_text, requirement_of
from mcpgen.openspec.parse.delta import Block
from mcpgen.openspec.parse.delta_findings import report_delta
from mcpgen.openspec.parse.headings import SCENARIO, find, sections_of
from mcpgen.openspec.parse.lines import Line, Lines, digest_of, join_lines
from mcpgen.openspec.parse.parse_delta import delta_of
from mcpgen.openspec.parse.repair_headings import repair_headings
from mcpgen.openspec.parse.requirement_findings import report_requirement


def delta_alone(
    lines: Sequence[Line], capability: str, diagnostics: Diagnostics
) -> Requirements | None:
    """What a delta adds, modifies and renames; None, with an error told, where that is nothing.

    This is OpenSpec's block reader: a requirement is what `### Requirement:` heads, a scenario what
    any `####` below it heads. Of a requirement that is only renamed there is no more than its name;
    those that are removed are not among what the server SHALL do.
    """
    text = Lines.of(repair_headings(lines, diagnostics))
    delta = delta_of(text)
    report_delta(delta, diagnostics)
    for named in delta.removed:
        problem = f"`{named.name}` is removed, but the delta is read without its spec"
        at = named.line.at()
        diagnostics.add(codes.NEEDLESS_DELTA, at, severity=Severity.NOTE, problem=problem)
    old = {renaming.new.name: renaming.old.name for renaming in delta.renamed}
    found = []
    for change, blocks in (
        (RequirementChange.ADDED, delta.added),
        (RequirementChange.MODIFIED, delta.modified),
    ):
        for block in blocks:
            body, draft = draft_of(block)
            read = requirement_of(body, draft, change, old.get(block.name, ""))
            report_requirement(body, draft, read, range(4, 5), diagnostics)
            found.append(read)
    modified = {block.name for block in delta.modified}
    found += [
        Requirement(new.name, "", (), new.line.at(), RequirementChange.RENAMED, old_one.name)
        for old_one, new in ((each.old, each.new) for each in delta.renamed)
        if new.name not in modified
    ]
    if not found:
        diagnostics.add(codes.NO_REQUIREMENT, lines[0].at())
        return None
    sections = sections_of(text)
    purpose = find(sections, "purpose")
    return Requirements(
        capability,
        sections[0].title if sections[0].level == 1 else "",
        outer_text(text, purpose) if purpose else "",
        tuple(sorted(found, key=lambda each: each.at.line)),
        digest_of(join_lines(lines)),
        lines[0].at(),
    )


def draft_of(block: Block) -> tuple[Lines, Draft]:
    """The lines of a block, its section and those of its scenarios."""
    text = Lines.of(block.lines)
    outermost = sections_of(text)
    scenarios = []
    waiting = [*reversed(outermost[1:]), *reversed(outermost[0].children)]
    while waiting:
        section = waiting.pop()
        if section.level == 4 or SCENARIO.match(section.title):
            scenarios.append(section)
        else:
            waiting.extend(reversed(section.children))
    return text, (outermost[0], scenarios)
