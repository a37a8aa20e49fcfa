"""What OpenSpec holds against a delta as a whole."""

from __future__ import annotations

from mcpgen.diagnostics import Diagnostics
from mcpgen.diagnostics.codes import openspec as codes
from mcpgen.openspec.parse.delta import Delta
from mcpgen.openspec.parse.delta_conflicts import contradictions_of
from mcpgen.openspec.parse.lines import trim


def report_delta(delta: Delta, diagnostics: Diagnostics) -> None:
    """Adds MG720, MG724 and MG725."""
    for section, line in delta.strays:
        heading = trim(line.text[3:])
        diagnostics.add(codes.UNREAD_HEADING, line.at(), heading=heading, section=section)
    for orphan in delta.orphans:
        diagnostics.add(
            codes.MISPLACED_REQUIREMENT,
            orphan.line.at(),
            heading=trim(orphan.line.text),
            reason="it stands in no section of the delta, and is left out",
            remedy="move it below `## ADDED Requirements` or `## MODIFIED Requirements`",
        )
    for named, problem in contradictions_of(delta):
        diagnostics.add(codes.CONTRADICTING_DELTA, named.line.at(), problem=problem)
