"""Applies a delta to the lines of a spec, as `openspec archive` does."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from mcpgen.openspec.model.markdown import fenced_lines
from mcpgen.openspec.parse.delta import (
    Block,
    Delta,
    NamedRequirement,
    Renaming,
    blocks_of,
    fold,
    name_at,
)
from mcpgen.openspec.parse.headings import heading_of, region_of, scenario_name
from mcpgen.openspec.parse.lines import Line, Lines, join_lines, strip_blank_lines, trim


class MergeState:
    """Requirements by name during a merge, with their row in the spec.

    `was` maps new names to first names of renamed requirements.
    """

    def __init__(self, blocks: Sequence[Block]) -> None:
        self._blocks: dict[str, Block] = {}
        self._similar: dict[str, dict[str, None]] = {}
        self._rows = [block.name for block in blocks]
        self._row: dict[str, int] = {}
        self.was: dict[str, str] = {}
        for row, block in enumerate(blocks):
            self._row.setdefault(block.name, row)
            self.put(block)

    def get(self, name: str) -> Block | None:
        """Returns the requirement with exactly this name."""
        return self._blocks.get(name)

    def put(self, block: Block) -> None:
        """Sets the requirement of the block's name; a new name is appended."""
        self._blocks[block.name] = block
        self._similar.setdefault(fold(block.name), {})[block.name] = None

    def drop(self, name: str) -> Block:
        """Removes and returns a requirement. Raises KeyError for an unknown name."""
        del self._similar[fold(name)][name]
        return self._blocks.pop(name)

    def rename(self, old: str, block: Block) -> None:
        """Replaces the requirement `old` by a block, in the same row."""
        self.drop(old)
        self.put(block)
        self.was[block.name] = self.was.pop(old, old)
        if old in self._row:
            row = self._row.pop(old)
            self._row[block.name] = row
            self._rows[row] = block.name

    def similar(self, name: str, *, but: str = "") -> str:
        """Returns a name other than `but` that equals `name` except for case and white space.

        `""` without a similar name.
        """
        names = self._similar.get(fold(name), {})
        return next((candidate for candidate in names if candidate != but), "")

    def at(self, row: int) -> Block | None:
        """Returns the current requirement in row `row` of the spec (from 0)."""
        return self._blocks.get(self._rows[row])

    def in_order(self) -> list[Block]:
        """Returns the requirements: rows of the spec first, then additions in order."""
        placed = [block for row in range(len(self._rows)) if (block := self.at(row))]
        names = set(self._rows)
        return placed + [block for name, block in self._blocks.items() if name not in names]


@dataclass(frozen=True, slots=True)
class RejectedChange:
    """A part of a delta that is not applied: reason and line; `hard` rejects the whole delta."""

    line: Line
    problem: str
    hard: bool = True


Outcome = RejectedChange | bool
"""Whether the requirement changed, or the reason for a rejection."""


def rename(state: MergeState, renaming: Renaming) -> Outcome:
    """Renames a requirement."""
    old, new = renaming.old, renaming.new
    block = state.get(old.name)
    if block is None:
        if state.get(new.name) is None:
            return RejectedChange(old.line, f"there is no `{old.name}` to rename")
        near = state.similar(old.name, but=new.name)
        if near:
            return RejectedChange(
                old.line, f"there is no `{old.name}` to rename, but there is `{near}`"
            )
        return RejectedChange(new.line, f"`{new.name}` has its new name already", hard=False)
    if state.get(new.name) is not None:
        return RejectedChange(new.line, f"there is a requirement `{new.name}` already")
    near = state.similar(new.name, but=old.name)
    if near:
        return RejectedChange(
            new.line, f"`{new.name}` and `{near}` are the same but for case or spaces"
        )
    heading = block.heading._replace(text=f"### Requirement: {new.name}")
    state.rename(old.name, Block(new.name, (heading, *block.lines[1:])))
    return True


def remove(state: MergeState, requirement: NamedRequirement) -> Outcome:
    """Removes a requirement."""
    if state.get(requirement.name) is not None:
        state.drop(requirement.name)
        return True
    near = state.similar(requirement.name)
    if near:
        return RejectedChange(
            requirement.line, f"there is no `{requirement.name}` to remove, but there is `{near}`"
        )
    return RejectedChange(
        requirement.line, f"there is no `{requirement.name}` to remove", hard=False
    )


def modify(state: MergeState, block: Block) -> Outcome:
    """Replaces the text of a requirement."""
    current = state.get(block.name)
    if current is None:
        near = state.similar(block.name)
        but = f", but there is `{near}`" if near else ""
        return RejectedChange(block.heading, f"there is no `{block.name}` to modify{but}")
    missing = list((_scenarios(current) - _scenarios(block)).elements())
    if missing:
        names = ", ".join(f"`{name}`" for name in missing)
        return RejectedChange(
            block.heading, f"MODIFIED `{block.name}` leaves out the scenarios {names}"
        )
    state.put(block)
    return not _has_equal_text(current, block)


def add(state: MergeState, block: Block) -> Outcome:
    """Appends a requirement."""
    current = state.get(block.name)
    if current is not None:
        if _has_equal_text(current, block):
            return RejectedChange(
                block.heading, f"`{block.name}` is in the spec already", hard=False
            )
        return RejectedChange(block.heading, f"there is another requirement `{block.name}` already")
    near = state.similar(block.name)
    if near:
        return RejectedChange(
            block.heading, f"`{block.name}` and `{near}` are the same but for case or spaces"
        )
    state.put(block)
    return True


def _has_equal_text(block: Block, replacement: Block) -> bool:
    """Returns whether two requirements have equal text."""
    return trim(join_lines(block.lines)) == trim(join_lines(replacement.lines))


def _scenarios(block: Block) -> Counter[str]:
    """Counts scenario names in a block, by the rules of OpenSpec's block reader."""
    text = Lines.of(block.lines)
    headings = (
        heading_of(line.text) if line.text.startswith("####") and not code else None
        for line, code in zip(*text, strict=True)
    )
    return Counter(scenario_name(heading[1]) for heading in headings if heading and heading[0] == 4)


_FOREIGN = re.compile(r" {0,3}#{1,3}(?:[ \t]|\Z)")


@dataclass(frozen=True, slots=True)
class SpecParts:
    """A spec split at `## Requirements` and at each requirement."""

    before: Sequence[Line]
    heading: Line
    preamble: Sequence[Line]
    blocks: Sequence[Block]
    after: Sequence[Line]


@dataclass(frozen=True, slots=True)
class DeltaResult:
    """A spec after a delta; invalid if `refused` is not empty.

    `notices` are parts of the delta without effect. `lost` are removed headings that did not belong
    to their requirement, with the requirement's name. `was` maps renamed requirements to earlier
    names. The text stays unchanged if no requirement changed.
    """

    lines: Sequence[Line]
    refused: Sequence[RejectedChange]
    notices: Sequence[RejectedChange]
    lost: Sequence[tuple[Line, str]]
    was: dict[str, str] = field(default_factory=dict)


def split_spec(text: Lines) -> SpecParts:
    """Splits a spec; without `## Requirements` the whole text is `before`."""
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
    """Applies a delta to a spec: RENAMED, REMOVED, MODIFIED, then ADDED."""
    parts = split_spec(text)
    state = MergeState(parts.blocks)
    outcomes = [
        *(rename(state, change) for change in delta.renamed),
        *(remove(state, change) for change in delta.removed),
        *(modify(state, change) for change in delta.modified),
        *(add(state, change) for change in delta.added),
    ]
    blocks = state.in_order()
    return DeltaResult(
        text.lines if not any(change is True for change in outcomes) else _composed(parts, blocks),
        [change for change in outcomes if isinstance(change, RejectedChange) and change.hard],
        [change for change in outcomes if isinstance(change, RejectedChange) and not change.hard],
        list(_lost_texts(parts.blocks, state)),
        state.was,
    )


def _composed(parts: SpecParts, blocks: Sequence[Block]) -> list[Line]:
    """Joins the parts as `openspec archive` does.

    A blank line separates parts and requirements. Outside of fences, runs of blank lines become a
    single blank line. The text ends with a line break.
    """
    preamble = strip_blank_lines(parts.preamble, start=False)
    body = _spaced([preamble, *(block.lines for block in blocks)])
    above = strip_blank_lines(parts.before, start=False)
    lines = _spaced([above, [parts.heading], body, strip_blank_lines(parts.after)])
    page = []
    run = False
    for line, code in zip(lines, fenced_lines([line.text for line in lines]), strict=True):
        empty = not code and line.text == ""
        if not (empty and run):
            page.append(line)
        run = empty
    page = strip_blank_lines(page, start=False)
    return [*page, page[-1]._replace(text="")]


def _spaced(pieces: Sequence[Sequence[Line]]) -> list[Line]:
    """Joins nonempty pieces with blank lines."""
    lines: list[Line] = []
    for piece in pieces:
        if piece and lines:
            lines.append(lines[-1]._replace(text=""))
        lines.extend(piece)
    return lines


def _lost_texts(blocks: Sequence[Block], state: MergeState) -> Iterator[tuple[Line, str]]:
    """Yields foreign headings of changed requirements that are missing in the replacement."""
    for row, block in enumerate(blocks):
        replacement = state.at(row)
        if replacement is block:
            continue
        foreign = _foreign(block)
        if not foreign:
            continue
        foreign_text = join_lines(foreign).strip()
        now = join_lines(replacement.lines) if replacement else ""
        if now.count(foreign_text) < join_lines(block.lines).count(foreign_text):
            yield foreign[0], block.name


def _foreign(block: Block) -> Sequence[Line]:
    """Returns the lines from the first heading that is not part of the requirement."""
    code = fenced_lines([line.text for line in block.lines])
    rows = range(1, len(block.lines))
    matches = (row for row in rows if not code[row] and _FOREIGN.match(block.lines[row].text))
    start = next(matches, len(block.lines))
    return block.lines[start:]
