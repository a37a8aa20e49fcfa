"""What OpenSpec holds against a spec as a whole."""

from __future__ import annotations

from collections.abc import Sequence

from mcpgen.diagnostics import Diagnostics
from mcpgen.diagnostics.codes import openspec as codes
from mcpgen.openspec.model.requirements import Requirement
from mcpgen.openspec.parse.blocks import Draft
from mcpgen.openspec.parse.headings import Section, find
from mcpgen.openspec.parse.lines import Lines, trim
from mcpgen.openspec.parse.purpose import report_purpose
from mcpgen.openspec.parse.requirement_findings import report_requirement
from mcpgen.openspec.parse.structure_findings import misplaced_headings


def report_spec(
    text: Lines,
    sections: list[Section],
    drafts: Sequence[tuple[Draft, Requirement]],
    diagnostics: Diagnostics,
) -> None:
    """Tells what `openspec validate` would, and what people would.

    Adds MG713–MG722, MG728 and MG729.
    """
    top = text.lines[0].at()
    if not drafts:
        diagnostics.add(codes.NO_REQUIREMENT, top)
    report_purpose(text, find(sections, "purpose"), diagnostics)
    if find(sections, "requirements") is None:
        diagnostics.add(codes.MISSING_SECTION, top, section="Requirements")
    for each in misplaced_headings(text):
        at, heading = each.line.at(), trim(each.line.text)
        if each.twin:
            diagnostics.add(codes.DUPLICATE_REQUIREMENT, at, name=each.name, line=each.twin)
            continue
        diagnostics.add(
            codes.MISPLACED_REQUIREMENT,
            at,
            heading=heading,
            reason=each.reason,
            remedy=each.remedy,
        )
    for draft, requirement in drafts:
        levels = range(draft[0].level + 1, 7)
        report_requirement(text, draft, requirement, levels, diagnostics)
