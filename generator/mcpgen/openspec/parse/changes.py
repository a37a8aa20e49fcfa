"""The four things a delta does to a requirement, each with what `openspec archive` refuses."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from mcpgen.openspec.parse.delta import Block, NamedRequirement, Renaming
from mcpgen.openspec.parse.headings import heading_of, scenario_name
from mcpgen.openspec.parse.lines import Line, Lines, join_lines, trim
from mcpgen.openspec.parse.merge_state import MergeState


@dataclass(frozen=True, slots=True)
class RejectedChange:
    """Why a part of a delta is not applied, in a sentence, and the line that asks for it; `hard`
    where the whole delta is refused for it."""

    line: Line
    problem: str
    hard: bool = True


Outcome = RejectedChange | bool
"""Whether the requirement is another now, or why the change is refused."""


def rename(standing: MergeState, renaming: Renaming) -> Outcome:
    """Gives a requirement another name."""
    old, new = renaming.old, renaming.new
    block = standing.get(old.name)
    if block is None:
        if standing.get(new.name) is None:
            return RejectedChange(old.line, f"there is no `{old.name}` to rename")
        near = standing.similar(old.name, but=new.name)
        if near:
            return RejectedChange(
                old.line, f"there is no `{old.name}` to rename, but there is `{near}`"
            )
        return RejectedChange(new.line, f"`{new.name}` has its new name already", hard=False)
    if standing.get(new.name) is not None:
        return RejectedChange(new.line, f"there is a requirement `{new.name}` already")
    near = standing.similar(new.name, but=old.name)
    if near:
        return RejectedChange(
            new.line, f"`{new.name}` and `{near}` are the same but for case or spaces"
        )
    heading = block.heading._replace(text=f"### Requirement: {new.name}")
    standing.rename(old.name, Block(new.name, (heading, *block.lines[1:])))
    return True


def remove(standing: MergeState, named: NamedRequirement) -> Outcome:
    """Takes a requirement out."""
    if standing.get(named.name) is not None:
        standing.drop(named.name)
        return True
    near = standing.similar(named.name)
    if near:
        return RejectedChange(
            named.line, f"there is no `{named.name}` to remove, but there is `{near}`"
        )
    return RejectedChange(named.line, f"there is no `{named.name}` to remove", hard=False)


def modify(standing: MergeState, block: Block) -> Outcome:
    """Puts another text in the place of a requirement's."""
    current = standing.get(block.name)
    if current is None:
        near = standing.similar(block.name)
        but = f", but there is `{near}`" if near else ""
        return RejectedChange(block.heading, f"there is no `{block.name}` to modify{but}")
    missing = list((_scenarios(current) - _scenarios(block)).elements())
    if missing:
        names = ", ".join(f"`{name}`" for name in missing)
        return RejectedChange(
            block.heading, f"MODIFIED `{block.name}` leaves out the scenarios {names}"
        )
    standing.put(block)
    return not _same(current, block)


def add(standing: MergeState, block: Block) -> Outcome:
    """Puts a requirement at the end."""
    current = standing.get(block.name)
    if current is not None:
        if _same(current, block):
            return RejectedChange(
                block.heading, f"`{block.name}` is in the spec already", hard=False
            )
        return RejectedChange(block.heading, f"there is another requirement `{block.name}` already")
    near = standing.similar(block.name)
    if near:
        return RejectedChange(
            block.heading, f"`{block.name}` and `{near}` are the same but for case or spaces"
        )
    standing.put(block)
    return True


def _same(block: Block, other: Block) -> bool:
    """Whether two requirements are written alike."""
    return trim(join_lines(block.lines)) == trim(join_lines(other.lines))


def _scenarios(block: Block) -> Counter[str]:
    """How often each scenario's name stands in a block, by OpenSpec's block reader."""
    text = Lines.of(block.lines)
    headings = (
        heading_of(line.text) if line.text.startswith("####") and not code else None
        for line, code in zip(*text, strict=True)
    )
    return Counter(scenario_name(found[1]) for found in headings if found and found[0] == 4)
