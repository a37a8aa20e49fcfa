"""Lines to a delta, as OpenSpec's block reader has it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from mcpgen.openspec.model.markdown import SPACE
from mcpgen.openspec.model.requirements import RequirementChange
from mcpgen.openspec.parse.delta import Block, Delta, NamedRequirement, Renaming, UnpairedRename
from mcpgen.openspec.parse.headings import heading_text, requirement_title, strip_closing_marks
from mcpgen.openspec.parse.lines import Line, Lines, blank, strip_blank_lines

SECTIONS = {f"{change.value} requirements": change for change in RequirementChange}
"""What each section of a delta does, by its title in lower case."""

_SECTION = re.compile(rf"##(?=[{SPACE}])")
_OTHER = re.compile(rf"###(?=[{SPACE}])")
_LISTED = re.compile(rf"[{SPACE}]*[-*+][{SPACE}]*`?###[{SPACE}]*Requirement:")
_SIDE = re.compile(rf"[{SPACE}]*[-*+]?[{SPACE}]*(FROM|TO):[{SPACE}]*`?###[{SPACE}]*Requirement:")


def delta_of(text: Lines) -> Delta:
    """The delta that a text holds."""
    regions = list(_regions(text))
    per_kind = {
        kind: [range(start, end) for each, start, end in regions if each is kind]
        for kind in RequirementChange
    }
    renamings: list[Renaming] = []
    unpaired: list[UnpairedRename] = []
    for rows in per_kind[RequirementChange.RENAMED]:
        _pair(text, rows, renamings, unpaired)
    return Delta(
        text,
        tuple(
            block for rows in per_kind[RequirementChange.ADDED] for block in blocks_of(text, rows)
        ),
        tuple(
            block
            for rows in per_kind[RequirementChange.MODIFIED]
            for block in blocks_of(text, rows)
        ),
        tuple(
            named for rows in per_kind[RequirementChange.REMOVED] for named in _removed(text, rows)
        ),
        tuple(renamings),
        tuple(sorted(unpaired, key=lambda each: each.named.line.number)),
        tuple(
            (f"{kind.name} Requirements", stray)
            for kind in (RequirementChange.ADDED, RequirementChange.MODIFIED)
            for rows in per_kind[kind]
            for stray in _strays(text, rows)
        ),
        tuple(
            NamedRequirement(name, text.lines[row])
            for kind, start, end in regions
            if kind is None
            for row in range(start, end)
            if (name := name_at(text, row)) is not None
        ),
        frozenset(kind for kind in RequirementChange if per_kind[kind]),
    )


def blocks_of(text: Lines, rows: range) -> list[Block]:
    """The requirements of a section, white space at their ends removed; what stands above the first
    belongs to none."""
    starts = [row for row in rows if name_at(text, row) is not None]
    return [
        Block(
            name_at(text, start) or "", tuple(strip_blank_lines(text.lines[start:end], start=False))
        )
        for start, end in pairwise((*starts, rows.stop))
    ]


def _regions(text: Lines) -> Iterator[tuple[RequirementChange | None, int, int]]:
    """The sections of level 2, and what is above the first: what each does, None where it is no
    section of a delta; the index of its first line below the heading, and of the next heading."""
    kind: RequirementChange | None = None
    start = 0
    for row, (line, code) in enumerate(zip(*text, strict=True)):
        found = None if code else _SECTION.match(line.text)
        title = heading_text(line.text[2:]) if found else None
        if title is None:
            continue
        yield kind, start, row
        kind, start = SECTIONS.get(title.lower()), row + 1
    yield kind, start, len(text.lines)


def name_at(text: Lines, row: int) -> str | None:
    """The name of the requirement that a line is the heading of."""
    return None if text.fenced[row] else requirement_title(text.lines[row].text)


def _strays(text: Lines, rows: range) -> Iterator[Line]:
    """The headings of level 3 in a section that are of no requirement."""
    for row in rows:
        line = text.lines[row]
        heading = not text.fenced[row] and _OTHER.match(line.text) and not blank(line.text[3:])
        if heading and name_at(text, row) is None:
            yield line


def _removed(text: Lines, rows: range) -> Iterator[NamedRequirement]:
    """The requirements that a section removes: as headings, or in a list."""
    for row in rows:
        line = text.lines[row]
        if text.fenced[row]:
            continue
        name = requirement_title(line.text)
        if name is None and (listed := _LISTED.match(line.text)):
            name = _quoted(line.text[listed.end() :])
        if name is not None:
            yield NamedRequirement(name, line)


def _pair(
    text: Lines, rows: range, renamings: list[Renaming], unpaired: list[UnpairedRename]
) -> None:
    """Adds the pairs of FROM: and TO: in a section, and what makes no pair."""
    pending: NamedRequirement | None = None
    for row in rows:
        line = text.lines[row]
        side = None if text.fenced[row] else _SIDE.match(line.text)
        name = _quoted(line.text[side.end() :]) if side else None
        if side is None or name is None:
            continue
        named = NamedRequirement(name, line)
        if side[1] == "FROM":
            if pending:
                unpaired.append(UnpairedRename("FROM", pending))
            pending = named
        elif pending:
            renamings.append(Renaming(pending, named))
            pending = None
        else:
            unpaired.append(UnpairedRename("TO", named))
    if pending:
        unpaired.append(UnpairedRename("FROM", pending))


def _quoted(text: str) -> str | None:
    """The name behind `Requirement:`, perhaps before a closing back-tick; None where there is none."""
    name = heading_text(text)
    if not text or name is None:
        return None
    return strip_closing_marks(name[:-1] if len(name) > 1 and name.endswith("`") else name)
