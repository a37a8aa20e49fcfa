"""Parses a source to `Requirements`: a spec, a delta alone, or a spec after its deltas."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mcpgen.diagnostics import Diagnostics, Severity
from mcpgen.diagnostics.codes import openspec as codes
from mcpgen.ir.source import RequirementSource
from mcpgen.openspec.model.requirements import Requirement, RequirementChange, Requirements
from mcpgen.openspec.parse.apply_delta_findings import apply_deltas
from mcpgen.openspec.parse.delta import Block, delta_of, report_delta
from mcpgen.openspec.parse.findings import report_requirement, report_spec
from mcpgen.openspec.parse.headings import (
    SCENARIO,
    Section,
    find,
    is_named,
    repair_headings,
    sections_of,
)
from mcpgen.openspec.parse.lines import Line, Lines, digest_of, join_lines, lines_of
from mcpgen.openspec.parse.steps import Draft, outer_text, requirement_of

UNREAD = ("removed requirements", "renamed requirements")
"""Sections of a delta that add no current requirements."""


def main_spec(
    lines: Sequence[Line],
    capability: str,
    diagnostics: Diagnostics,
    after: RequirementSource | None = None,
) -> Requirements | None:
    """Parses the requirements of a spec; None with an error if empty.

    `after`: the source whose change led to `lines`, None for a spec as it is written.

    Follows OpenSpec's section reader (`validate`, `list`, `show`): below `## Requirements` every
    heading is a requirement, and every nested heading a scenario. Requirement headings elsewhere
    are read too.
    """
    text = Lines.of(repair_headings(lines, diagnostics))
    sections = sections_of(text)
    drafts = requirements_in(sections)
    requirements = [requirement_of(text, draft) for draft in drafts]
    report_spec(text, sections, list(zip(drafts, requirements, strict=True)), diagnostics)
    if not requirements:
        _report_empty_spec(lines, after, diagnostics)
        return None
    purpose = find(sections, "purpose")
    return Requirements(
        capability,
        sections[0].title if sections[0].level == 1 else "",
        outer_text(text, purpose) if purpose else "",
        tuple(requirements),
        digest_of(join_lines(lines)),
        lines[0].at(),
    )


def _report_empty_spec(
    lines: Sequence[Line], after: RequirementSource | None, diagnostics: Diagnostics
) -> None:
    """Adds NO_REQUIREMENT; after a change at the delta that removes the last requirement."""
    at = lines[0].at()
    reason = "the text holds no heading of a requirement"
    hint = "write `## Requirements`, below it `### Requirement: name` and what the server SHALL do"
    if after is not None:
        at = lines_of(after.deltas[-1])[0].at()
        reason = f"none is left after the change `{after.change}`"
        hint = "keep a requirement of the spec, or add one in the change"
    diagnostics.add(codes.NO_REQUIREMENT, at, reason=reason, hint=hint)


def requirements_in(sections: list[Section]) -> list[Draft]:
    """Returns requirement sections with their scenario sections, in document order.

    A heading `Scenario:` beside requirements belongs to the previous requirement. A heading with
    nested `Requirement:` headings is a group of requirements.
    """
    main = find(sections, "requirements")
    inside = {child.start for child in main.children} if main else set()
    drafts: list[Draft] = []
    stack = list(reversed(sections))
    while stack:
        section = stack.pop()
        grouped = any(map(is_named, section.children))
        after = bool(drafts) and not SCENARIO.match(drafts[-1][0].title)
        if section.start in inside and after and SCENARIO.match(section.title):
            drafts[-1][1].append(section)
        elif is_named(section) or (section.start in inside and not grouped):
            drafts.append((section, list(section.children)))
        elif section.title.lower() not in UNREAD:
            stack.extend(reversed(section.children))
    return drafts


def delta_alone(
    lines: Sequence[Line], capability: str, diagnostics: Diagnostics
) -> Requirements | None:
    """Parses the requirements a delta adds, modifies and renames; None with an error if empty.

    Follows OpenSpec's block reader: `### Requirement:` starts a requirement, any `####` below
    starts a scenario. A renamed requirement has only a name; removed requirements are left out.
    """
    text = Lines.of(repair_headings(lines, diagnostics))
    delta = delta_of(text)
    report_delta(delta, diagnostics)
    for removed in delta.removed:
        problem = f"`{removed.name}` is removed, but the delta is read without its spec"
        at = removed.line.at()
        diagnostics.add(codes.NEEDLESS_DELTA, at, severity=Severity.NOTE, problem=problem)
    old = {renaming.new.name: renaming.old.name for renaming in delta.renamed}
    requirements = []
    for change, blocks in (
        (RequirementChange.ADDED, delta.added),
        (RequirementChange.MODIFIED, delta.modified),
    ):
        for block in blocks:
            body, draft = draft_of(block)
            read = requirement_of(body, draft, change, old.get(block.name, ""))
            report_requirement(body, draft, read, range(4, 5), diagnostics)
            requirements.append(read)
    modified = {block.name for block in delta.modified}
    requirements += [
        Requirement(new.name, "", (), new.line.at(), RequirementChange.RENAMED, old_one.name)
        for old_one, new in ((requirement.old, requirement.new) for requirement in delta.renamed)
        if new.name not in modified
    ]
    if not requirements:
        hint = "write `### Requirement: name` below `## ADDED Requirements`"
        if delta.removed:
            hint = "give the folder `openspec` with `--change` in place of the delta"
        reason = "the delta adds, modifies and renames no requirement"
        diagnostics.add(codes.NO_REQUIREMENT, lines[0].at(), reason=reason, hint=hint)
        return None
    sections = sections_of(text)
    purpose = find(sections, "purpose")
    return Requirements(
        capability,
        sections[0].title if sections[0].level == 1 else "",
        outer_text(text, purpose) if purpose else "",
        tuple(sorted(requirements, key=lambda requirement: requirement.at.line)),
        digest_of(join_lines(lines)),
        lines[0].at(),
    )


def draft_of(block: Block) -> tuple[Lines, Draft]:
    """Returns the lines of a block, its section and its scenario sections."""
    text = Lines.of(block.lines)
    outermost = sections_of(text)
    scenarios = []
    stack = [*reversed(outermost[1:]), *reversed(outermost[0].children)]
    while stack:
        section = stack.pop()
        if section.level == 4 or SCENARIO.match(section.title):
            scenarios.append(section)
        else:
            stack.extend(reversed(section.children))
    return text, (outermost[0], scenarios)


def parse_requirements(source: RequirementSource, diagnostics: Diagnostics) -> Requirements | None:
    """Parses a spec, a delta, or a spec after its deltas; None with an error if empty.

    Adds MG713–MG729.
    """
    if source.main is not None and not source.deltas:
        return main_spec(lines_of(source.main), source.capability, diagnostics)
    if source.main is None and not source.change:
        return delta_alone(lines_of(source.deltas[0]), source.capability, diagnostics)
    view = apply_deltas(source, diagnostics)
    if view is None:
        return None
    parsed = main_spec(view.lines, source.capability, diagnostics, after=source)
    if parsed is None:
        return None
    renamed = tuple(
        replace(requirement, was=view.was.get(requirement.name, ""))
        for requirement in parsed.requirements
    )
    return replace(parsed, requirements=renamed)
