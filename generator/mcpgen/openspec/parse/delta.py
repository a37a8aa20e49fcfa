"""Parses a delta (the changes of a proposal) as OpenSpec's own parser does, and reports
contradictions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from mcpgen.diagnostics import Diagnostics
from mcpgen.diagnostics.codes import openspec as codes
from mcpgen.openspec.model.markdown import SPACE
from mcpgen.openspec.model.requirements import RequirementChange
from mcpgen.openspec.parse.headings import heading_text, requirement_title, strip_closing_marks
from mcpgen.openspec.parse.lines import BLANKS, Line, Lines, blank, strip_blank_lines, trim


@dataclass(frozen=True, slots=True)
class Block:
    """A requirement as lines: its heading, and everything up to the next requirement."""

    name: str
    lines: tuple[Line, ...]

    @property
    def heading(self) -> Line:
        """The line with the requirement's name."""
        return self.lines[0]


@dataclass(frozen=True, slots=True)
class NamedRequirement:
    """A requirement's name, and the line with the name."""

    name: str
    line: Line


@dataclass(frozen=True, slots=True)
class Renaming:
    """The old and the new name of a requirement."""

    old: NamedRequirement
    new: NamedRequirement


@dataclass(frozen=True, slots=True)
class UnpairedRename:
    """A FROM: without TO:, or a TO: without FROM:."""

    side: str
    requirement: NamedRequirement


@dataclass(frozen=True, slots=True)
class Delta:
    """A delta parsed by the rules of OpenSpec's block reader, in document order.

    `strays` are other headings of level 3, with their section. `orphans` are requirements outside of
    all delta sections.
    """

    text: Lines
    added: tuple[Block, ...]
    modified: tuple[Block, ...]
    removed: tuple[NamedRequirement, ...]
    renamed: tuple[Renaming, ...]
    unpaired: tuple[UnpairedRename, ...]
    strays: tuple[tuple[str, Line], ...]
    orphans: tuple[NamedRequirement, ...]

    @property
    def empty(self) -> bool:
        """Whether the delta has no changes."""
        return not (self.added or self.modified or self.removed or self.renamed)


SECTIONS = {f"{change.value} requirements": change for change in RequirementChange}
"""Change per section of a delta, by title in lower case."""

_SECTION = re.compile(rf"##(?=[{SPACE}])")
_HEADING_3 = re.compile(rf"###(?=[{SPACE}])")
_REMOVED_BULLET = re.compile(rf"[{SPACE}]*[-*+][{SPACE}]*`?###[{SPACE}]*Requirement:")
_RENAME_LINE = re.compile(
    rf"[{SPACE}]*[-*+]?[{SPACE}]*(FROM|TO):[{SPACE}]*`?###[{SPACE}]*Requirement:"
)


def delta_of(text: Lines) -> Delta:
    """Parses a delta."""
    regions = list(_regions(text))
    per_kind = {
        kind: [range(start, end) for item, start, end in regions if item is kind]
        for kind in RequirementChange
    }
    renamings: list[Renaming] = []
    unpaired: list[UnpairedRename] = []
    for line_range in per_kind[RequirementChange.RENAMED]:
        _pair(text, line_range, renamings, unpaired)
    return Delta(
        text=text,
        added=tuple(
            block
            for line_range in per_kind[RequirementChange.ADDED]
            for block in blocks_of(text, line_range)
        ),
        modified=tuple(
            block
            for line_range in per_kind[RequirementChange.MODIFIED]
            for block in blocks_of(text, line_range)
        ),
        removed=tuple(
            requirement
            for line_range in per_kind[RequirementChange.REMOVED]
            for requirement in _removed(text, line_range)
        ),
        renamed=tuple(renamings),
        unpaired=tuple(sorted(unpaired, key=lambda item: item.requirement.line.number)),
        strays=tuple(
            (f"{kind.name} Requirements", stray)
            for kind in (RequirementChange.ADDED, RequirementChange.MODIFIED)
            for line_range in per_kind[kind]
            for stray in _strays(text, line_range)
        ),
        orphans=tuple(
            NamedRequirement(name, text.lines[row])
            for kind, start, end in regions
            if kind is None
            for row in range(start, end)
            if (name := name_at(text, row)) is not None
        ),
    )


def blocks_of(text: Lines, line_range: range) -> list[Block]:
    """Returns the trimmed requirements of a section; text above the first is ignored."""
    starts = [row for row in line_range if name_at(text, row) is not None]
    return [
        Block(
            name_at(text, start) or "", tuple(strip_blank_lines(text.lines[start:end], start=False))
        )
        for start, end in pairwise((*starts, line_range.stop))
    ]


def _regions(text: Lines) -> Iterator[tuple[RequirementChange | None, int, int]]:
    """Yields the sections of level 2, and the text above the first.

    Each is a triple: change (None outside of delta sections), first line below the heading, next
    heading.
    """
    kind: RequirementChange | None = None
    start = 0
    for row, (line, is_fenced) in enumerate(zip(*text, strict=True)):
        heading = None if is_fenced else _SECTION.match(line.text)
        title = heading_text(line.text[2:]) if heading else None
        if title is None:
            continue
        yield kind, start, row
        kind, start = SECTIONS.get(title.lower()), row + 1
    yield kind, start, len(text.lines)


def name_at(text: Lines, row: int) -> str | None:
    """Returns the requirement name if the line is a requirement heading."""
    return None if text.fenced[row] else requirement_title(text.lines[row].text)


def _strays(text: Lines, line_range: range) -> Iterator[Line]:
    """Yields the headings of level 3 in a section without a requirement name."""
    for row in line_range:
        line = text.lines[row]
        heading = not text.fenced[row] and _HEADING_3.match(line.text) and not blank(line.text[3:])
        if heading and name_at(text, row) is None:
            yield line


def _removed(text: Lines, line_range: range) -> Iterator[NamedRequirement]:
    """Yields the removed requirements of a section, from headings or list entries."""
    for row in line_range:
        line = text.lines[row]
        if text.fenced[row]:
            continue
        name = requirement_title(line.text)
        if name is None and (bullet := _REMOVED_BULLET.match(line.text)):
            name = _requirement_name(line.text[bullet.end() :])
        if name is not None:
            yield NamedRequirement(name, line)


def _pair(
    text: Lines, line_range: range, renamings: list[Renaming], unpaired: list[UnpairedRename]
) -> None:
    """Appends the pairs of FROM: and TO: in a section to `renamings`, the rest to `unpaired`."""
    pending: NamedRequirement | None = None
    for row in line_range:
        line = text.lines[row]
        side = None if text.fenced[row] else _RENAME_LINE.match(line.text)
        name = _requirement_name(line.text[side.end() :]) if side else None
        if side is None or name is None:
            continue
        requirement = NamedRequirement(name, line)
        if side[1] == "FROM":
            if pending:
                unpaired.append(UnpairedRename("FROM", pending))
            pending = requirement
        elif pending:
            renamings.append(Renaming(pending, requirement))
            pending = None
        else:
            unpaired.append(UnpairedRename("TO", requirement))
    if pending:
        unpaired.append(UnpairedRename("FROM", pending))


def _requirement_name(text: str) -> str | None:
    """Returns the name after `Requirement:`, without a closing back-tick; None if missing."""
    name = heading_text(text)
    if not text or name is None:
        return None
    return strip_closing_marks(name[:-1] if len(name) > 1 and name.endswith("`") else name)


def contradictions_of(delta: Delta) -> Iterator[tuple[NamedRequirement, str]]:
    """Yields each contradiction as the requirement with the faulty name, and a sentence."""
    for unpaired in delta.unpaired:
        missing = "TO: after it" if unpaired.side == "FROM" else "FROM: before it"
        yield unpaired.requirement, f"{unpaired.side}: `{unpaired.requirement.name}` has no {missing}"
    added, modified = _named_requirements(delta.added), _named_requirements(delta.modified)
    old = [renaming.old for renaming in delta.renamed]
    new = [renaming.new for renaming in delta.renamed]
    for section, requirements in (
        ("ADDED", added),
        ("MODIFIED", modified),
        ("REMOVED", delta.removed),
        ("RENAMED as FROM:", old),
        ("RENAMED as TO:", new),
    ):
        yield from _twice(section, requirements)
    yield from _in_both("MODIFIED", modified, "REMOVED", delta.removed)
    yield from _in_both("MODIFIED", modified, "ADDED", added)
    yield from _in_both("ADDED", added, "REMOVED", delta.removed)
    yield from _in_both("ADDED", added, "RENAMED as TO:", new)
    renamed = {change.old.name: change.new.name for change in delta.renamed}
    for change in modified:
        if change.name in renamed:
            yield change, (
                f"`{change.name}` is renamed, so MODIFIED has to call it `{renamed[change.name]}`"
            )
    folded = {fold(change.name): change for change in old}
    for change in delta.removed:
        if fold(change.name) in folded:
            other_name = folded[fold(change.name)].name
            remark = "" if change.name == other_name else f", spelt `{other_name}`"
            yield change, f"`{change.name}` is in REMOVED and in RENAMED{remark}"


def fold(name: str) -> str:
    """Normalizes case and runs of white space in a name."""
    return BLANKS.sub(" ", name.lower())


def _named_requirements(blocks: Sequence[Block]) -> list[NamedRequirement]:
    return [NamedRequirement(block.name, block.heading) for block in blocks]


def _twice(
    section: str, requirements: Sequence[NamedRequirement]
) -> Iterator[tuple[NamedRequirement, str]]:
    """Yields repeated names of a section."""
    names = set()
    for requirement in requirements:
        if requirement.name in names:
            yield requirement, f"`{requirement.name}` is in {section} twice"
        names.add(requirement.name)


def _in_both(
    section: str,
    requirements: Sequence[NamedRequirement],
    other_section: str,
    other_requirements: Sequence[NamedRequirement],
) -> Iterator[tuple[NamedRequirement, str]]:
    """Yields names in both sections."""
    names = {requirement.name for requirement in other_requirements}
    for requirement in requirements:
        if requirement.name in names:
            yield requirement, f"`{requirement.name}` is in {section} and in {other_section}"


def report_delta(delta: Delta, diagnostics: Diagnostics) -> None:
    """Reports stray headings, orphans and contradictions. Adds MG720, MG724 and MG725."""
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
    for requirement, problem in contradictions_of(delta):
        diagnostics.add(codes.CONTRADICTING_DELTA, requirement.line.at(), problem=problem)
