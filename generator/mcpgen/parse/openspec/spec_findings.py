"""What OpenSpec holds against a spec as a whole."""

from __future__ import annotations

from collections.abc import Sequence

from mcpgen.diagnostics import Diagnostics
from mcpgen.diagnostics.codes import openspec as codes
from mcpgen.ir.requirements import Requirement
from mcpgen.parse.openspec.blocks import Draft
from mcpgen.parse.openspec.headings import Section, find
from mcpgen.parse.openspec.lines import Lines, trimmed
from mcpgen.parse.openspec.places import misplaced
from mcpgen.parse.openspec.purpose import tell_of_purpose
from mcpgen.parse.openspec.requirement_findings import tell_of_requirement


def tell_of_spec(
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
    tell_of_purpose(text, find(sections, "purpose"), diagnostics)
    if find(sections, "requirements") is None:
        diagnostics.add(codes.MISSING_SECTION, top, section="Requirements")
    for each in misplaced(text):
        at, heading = each.line.at(), trimmed(each.line.text)
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
        tell_of_requirement(text, draft, requirement, levels, diagnostics)
