"""A spec with a delta applied, line for line as `openspec archive` writes it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from mcpgen.openspec.model.markdown import fenced_lines
from mcpgen.openspec.parse.changes import RejectedChange, add, modify, remove, rename
from mcpgen.openspec.parse.delta import Block, Delta
from mcpgen.openspec.parse.lines import Line, Lines, join_lines, strip_blank_lines
from mcpgen.openspec.parse.merge_state import MergeState
from mcpgen.openspec.parse.parse_delta import blocks_of, name_at
from mcpgen.openspec.parse.structure_findings import region_of

_FOREIGN = re.compile(r" {0,3}#{1,3}(?:[ \t]|\Z)")


@dataclass(frozen=True, slots=True)
class SpecParts:
    """A spec cut at its requirements: what is above `## Requirements`, that line, what stands below
    it before the first requirement, the requirements, and what is below the section."""

    before: Sequence[Line]
    heading: Line
    preamble: Sequence[Line]
    blocks: Sequence[Block]
    after: Sequence[Line]


@dataclass(frozen=True, slots=True)
class DeltaResult:
    """A spec after a delta. Where something was refused, nothing is to be made of it.

    `notices` are parts of the delta without effect; `lost` are headings that stood in a requirement
    without being of it and went with it, each with that requirement's name. `was` has the earlier
    names of those that are renamed. Where no requirement is another, the text stays as it is.
    """

    lines: Sequence[Line]
    refused: Sequence[RejectedChange]
    notices: Sequence[RejectedChange]
    lost: Sequence[tuple[Line, str]]
    was: dict[str, str] = field(default_factory=dict)


def split_spec(text: Lines) -> SpecParts:
    """The parts of a spec; without `## Requirements` everything is above them."""
    start, end = region_of(text)
    if start == len(text.lines):
        heading = text.lines[-1]._replace(text="## Requirements")
        return SpecParts(text.lines, heading, (), (), ())
    rows = range(start + 1, end)
    first = next((row for row in rows if name_at(text, row) is not None), end)
    above, below = text.lines[:start], text.lines[end:]
    preamble = text.lines[start + 1 : first]
    return SpecParts(above, text.lines[start], preamble, blocks_of(text, rows), below)


def merge(text: Lines, delta: Delta) -> DeltaResult:
    """The spec after the delta: RENAMED, then REMOVED, MODIFIED and ADDED."""
    parts = split_spec(text)
    standing = MergeState(parts.blocks)
    outcomes = [
        *(rename(standing, each) for each in delta.renamed),
        *(remove(standing, each) for each in delta.removed),
        *(modify(standing, each) for each in delta.modified),
        *(add(standing, each) for each in delta.added),
    ]
    kept = standing.in_order()
    return DeltaResult(
        text.lines if not any(each is True for each in outcomes) else _composed(parts, kept),
        [each for each in outcomes if isinstance(each, RejectedChange) and each.hard],
        [each for each in outcomes if isinstance(each, RejectedChange) and not each.hard],
        list(_lost(parts.blocks, standing)),
        standing.was,
    )


def _composed(parts: SpecParts, blocks: Sequence[Block]) -> list[Line]:
    """The text that the parts make: a blank line between them and between requirements, no two
    blank lines in a row outside of fences, one line break at the end."""
    preamble = strip_blank_lines(parts.preamble, start=False)
    body = _spaced([preamble, *(block.lines for block in blocks)])
    above = strip_blank_lines(parts.before, start=False)
    whole = _spaced([above, [parts.heading], body, strip_blank_lines(parts.after)])
    kept = []
    run = False
    for line, code in zip(whole, fenced_lines([line.text for line in whole]), strict=True):
        empty = not code and line.text == ""
        if not (empty and run):
            kept.append(line)
        run = empty
    kept = strip_blank_lines(kept, start=False)
    return [*kept, kept[-1]._replace(text="")]


def _spaced(pieces: Sequence[Sequence[Line]]) -> list[Line]:
    """The pieces that are not empty, with a blank line between each two."""
    whole: list[Line] = []
    for piece in pieces:
        if piece and whole:
            whole.append(whole[-1]._replace(text=""))
        whole.extend(piece)
    return whole


def _lost(blocks: Sequence[Block], standing: MergeState) -> Iterator[tuple[Line, str]]:
    """What stood in a requirement under a heading of its own, and is not in what replaces it."""
    for row, block in enumerate(blocks):
        replacement = standing.at(row)
        if replacement is block:
            continue
        foreign = _foreign(block)
        if not foreign:
            continue
        said = join_lines(foreign).strip()
        now = join_lines(replacement.lines) if replacement else ""
        if now.count(said) < join_lines(block.lines).count(said):
            yield foreign[0], block.name


def _foreign(block: Block) -> Sequence[Line]:
    """The lines from the first heading in a block that is neither its own nor a scenario's."""
    code = fenced_lines([line.text for line in block.lines])
    rows = range(1, len(block.lines))
    found = (row for row in rows if not code[row] and _FOREIGN.match(block.lines[row].text))
    start = next(found, len(block.lines))
    return block.lines[start:]
