"""What OpenSpec holds against a Purpose."""

from __future__ import annotations

import re

from mcpgen.diagnostics import Diagnostics
from mcpgen.diagnostics.codes import openspec as codes
from mcpgen.openspec.parse.headings import Section
from mcpgen.openspec.parse.lines import Lines, join_lines, trim
from mcpgen.openspec.parse.requirement_findings import javascript_length

ENOUGH = 50
"""Characters, as JavaScript counts them, from which on OpenSpec finds a Purpose long enough."""

PLACEHOLDER = ("TBD - created by archiving change ", ". Update Purpose after archive.")
"""What stands before and behind the change's name in the Purpose that `openspec archive` writes."""

_SHOUTED = re.compile(r"(?:TBD|TODO)(?!\w)")
_PUNCTUATED = re.compile(r"(?:TBD|TODO)(?!\w)(?=[ \t]*(?:$|[:\-–—.,;()\[\]{}]))", re.I | re.M)


def report_purpose(text: Lines, purpose: Section | None, diagnostics: Diagnostics) -> None:
    """Adds MG716 and MG722."""
    content = trim(join_lines(text.lines[purpose.start + 1 : purpose.end])) if purpose else ""
    if purpose is None or not content:
        at = purpose.line.at() if purpose else text.lines[0].at()
        diagnostics.add(codes.MISSING_SECTION, at, section="Purpose")
        return
    body = text.part(purpose.start + 1, purpose.end)
    open_lines = (line for line, code in zip(*body, strict=True) if not code)
    prose = trim(join_lines(open_lines))
    at = purpose.line.at()
    if _SHOUTED.match(prose) or _PUNCTUATED.match(prose) or _generated(prose):
        diagnostics.add(codes.UNWRITTEN_PURPOSE, at, what="not written yet")
    elif javascript_length(content) < ENOUGH:
        diagnostics.add(codes.UNWRITTEN_PURPOSE, at, what=f"shorter than {ENOUGH} characters")


def _generated(prose: str) -> bool:
    """Whether the Purpose holds the sentence that `openspec archive` writes."""
    before, behind = PLACEHOLDER
    return before in prose and behind in prose[prose.index(before) :]
