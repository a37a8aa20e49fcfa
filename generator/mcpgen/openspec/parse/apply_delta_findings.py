"""Applies all deltas of a source to its spec, or to a new spec, and reports the findings."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from mcpgen.diagnostics import Diagnostics
from mcpgen.diagnostics.codes import openspec as codes
from mcpgen.ir.source import RequirementSource
from mcpgen.openspec.model.markdown import SPACE, fenced_lines
from mcpgen.openspec.parse.apply_delta import DeltaResult, merge
from mcpgen.openspec.parse.delta import Delta, contradictions_of, delta_of, report_delta
from mcpgen.openspec.parse.findings import PLACEHOLDER
from mcpgen.openspec.parse.headings import find, misplaced_headings, repair_headings, sections_of
from mcpgen.openspec.parse.lines import (
    Line,
    Lines,
    blank,
    join_lines,
    lines_of,
    strip_blank_lines,
    trim,
)

_PURPOSE = re.compile(rf"##[{SPACE}]+purpose[{SPACE}]*\Z", re.I | re.A)
_SECTION = re.compile(rf"##[{SPACE}]")
_COMMENT_END = re.compile(r"--!?>")
_SEEN = re.compile(r"[^\n]")


def purpose_lines(lines: Sequence[Line]) -> list[Line]:
    """Returns the trimmed body of `## Purpose`; empty if missing or only code and comments.

    Headings in comments are ignored.
    """
    masked = _without_comments(join_lines(lines)).split("\n")
    code = fenced_lines(masked)
    headings = [row for row, text in enumerate(masked) if not code[row] and _SECTION.match(text)]
    start = next((row for row in headings if _PURPOSE.match(masked[row])), None)
    if start is None:
        return []
    end = next((row for row in headings if row > start), len(masked))
    if all(code[row] or blank(masked[row]) for row in range(start + 1, end)):
        return []
    return strip_blank_lines(lines[start + 1 : end])


def skeleton(capability: str, change: str, purpose: Sequence[Line], at: Line) -> list[Line]:
    """Returns an empty spec as created by `openspec archive`.

    An empty `purpose` becomes the placeholder sentence.
    """
    body = list(purpose) or [at._replace(text=change.join(PLACEHOLDER))]
    above = (f"# {capability} Specification", "", "## Purpose")
    below = ("", "## Requirements", "")
    return [
        *(at._replace(text=text) for text in above),
        *body,
        *(body[-1]._replace(text=text) for text in below),
    ]


def readable(spec: Sequence[Line]) -> bool:
    """Returns whether OpenSpec can read a new spec with a given Purpose.

    False if the Purpose hides headings in a comment or fence, or adds headings.
    """
    text = Lines.of(spec)
    if any("<!--" in line.text for line in spec) or any(misplaced_headings(text)):
        return False
    sections = sections_of(text)
    purpose, requirements = find(sections, "purpose"), find(sections, "requirements")
    return (
        purpose is not None
        and requirements is not None
        and not all(blank(line.text) for line in spec[purpose.start + 1 : purpose.end])
    )


def _without_comments(text: str) -> str:
    """Replaces HTML comments by blanks; an unclosed comment runs to the end."""
    pieces = []
    position = 0
    while (start := text.find("<!--", position)) >= 0:
        terminator = _COMMENT_END.search(text, start + 4)
        end = terminator.end() if terminator else len(text)
        pieces += [text[position:start], _SEEN.sub(" ", text[start:end])]
        position = end
    return "".join((*pieces, text[position:]))


class MergedSpec(NamedTuple):
    """The lines of a spec after its deltas, and earlier names of renamed requirements."""

    lines: Sequence[Line]
    was: dict[str, str]

    @property
    def text(self) -> str:
        """The text written by `openspec archive`."""
        return join_lines(self.lines)


def apply_deltas(source: RequirementSource, diagnostics: Diagnostics) -> MergedSpec | None:
    """Applies the deltas of a source; None with an error after a rejection.

    Adds MG720, MG723–MG727.
    """
    spec = repair_headings(lines_of(source.main), diagnostics) if source.main else None
    was: dict[str, str] = {}
    for document in source.deltas:
        lines = repair_headings(lines_of(document), diagnostics)
        delta = delta_of(Lines.of(lines))
        report_delta(delta, diagnostics)
        if delta.empty:
            _report_delta_problem(lines[0], "it asks for nothing", source, diagnostics)
            return None
        if any(contradictions_of(delta)):
            return None
        spec = _base(spec, delta, source, diagnostics)
        outcome = merge(Lines.of(spec), delta) if spec is not None else None
        if outcome is None or not _report_merge(outcome, source, diagnostics):
            return None
        spec, was = outcome.lines, was | outcome.was
    assert spec is not None, "a source has a spec or a delta"
    return MergedSpec(spec, was)


def _base(
    spec: Sequence[Line] | None,
    delta: Delta,
    source: RequirementSource,
    diagnostics: Diagnostics,
) -> Sequence[Line] | None:
    """Returns the spec to apply a delta to: the current spec or a new spec.

    None if `openspec` would reject the current spec.
    """
    purpose = purpose_lines(delta.text.lines)
    if spec is None:
        return _new(delta, purpose, source, diagnostics)
    wrong = list(misplaced_headings(Lines.of(spec)))
    for heading in wrong:
        problem = f"`openspec` changes no spec in which `{trim(heading.line.text)}` stands so"
        _report_delta_problem(heading.line, problem, source, diagnostics)
    existing = purpose_lines(spec)
    if purpose and existing and join_lines(purpose) != join_lines(existing):
        problem = "the spec has another Purpose, which stays"
        diagnostics.add(codes.NEEDLESS_DELTA, purpose[0].at(), problem=problem)
    return None if wrong else spec


def _new(
    delta: Delta, purpose: list[Line], source: RequirementSource, diagnostics: Diagnostics
) -> Sequence[Line] | None:
    """Returns a new spec, None if the delta modifies or renames requirements."""
    changing = [block.heading for block in delta.modified]
    changing += [renaming.old.line for renaming in delta.renamed]
    for line in changing:
        problem = "there is no spec yet, so requirements can only be added"
        _report_delta_problem(line, problem, source, diagnostics)
    if changing:
        return None
    top = delta.text.lines[0]
    page = skeleton(source.capability, source.change, purpose, top)
    if not purpose or readable(page):
        return page
    problem = "its Purpose would hide what stands below it in the new spec"
    diagnostics.add(codes.NEEDLESS_DELTA, purpose[0].at(), problem=problem)
    return skeleton(source.capability, source.change, (), top)


def _report_merge(
    outcome: DeltaResult, source: RequirementSource, diagnostics: Diagnostics
) -> bool:
    """Reports the findings of a merge; returns whether the result is usable."""
    for change in outcome.refused:
        _report_delta_problem(change.line, change.problem, source, diagnostics)
    for change in outcome.notices:
        diagnostics.add(codes.NEEDLESS_DELTA, change.line.at(), problem=change.problem)
    for line, name in outcome.lost:
        diagnostics.add(
            codes.MISPLACED_REQUIREMENT,
            line.at(),
            heading=trim(line.text),
            reason=f"it is part of the requirement `{name}` to OpenSpec, which replaces or deletes both",
            remedy="move it above `## Requirements` to keep it",
        )
    return not outcome.refused


def _report_delta_problem(
    line: Line, problem: str, source: RequirementSource, diagnostics: Diagnostics
) -> None:
    main = source.main.name if source.main else source.capability
    diagnostics.add(codes.UNFITTING_DELTA, line.at(), problem=problem, main=main)
