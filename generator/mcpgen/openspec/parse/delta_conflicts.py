"""Where a delta contradicts itself: what `openspec validate` and `archive` refuse in it alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mcpgen.openspec.parse.delta import Block, Delta, NamedRequirement
from mcpgen.openspec.parse.lines import BLANKS


def contradictions_of(delta: Delta) -> Iterator[tuple[NamedRequirement, str]]:
    """Each contradiction, with the name in the delta that is in the wrong."""
    for unpaired in delta.unpaired:
        other = "TO:" if unpaired.side == "FROM" else "FROM:"
        yield unpaired.named, f"{unpaired.side}: `{unpaired.named.name}` has no {other} beside it"
    added, modified = _named(delta.added), _named(delta.modified)
    old = [renaming.old for renaming in delta.renamed]
    new = [renaming.new for renaming in delta.renamed]
    for section, rows in (
        ("ADDED", added),
        ("MODIFIED", modified),
        ("REMOVED", delta.removed),
        ("RENAMED as FROM:", old),
        ("RENAMED as TO:", new),
    ):
        yield from _twice(section, rows)
    yield from _in_both("MODIFIED", modified, "REMOVED", delta.removed)
    yield from _in_both("MODIFIED", modified, "ADDED", added)
    yield from _in_both("ADDED", added, "REMOVED", delta.removed)
    yield from _in_both("ADDED", added, "RENAMED as TO:", new)
    renamed = {each.old.name: each.new.name for each in delta.renamed}
    for each in modified:
        if each.name in renamed:
            yield each, (
                f"`{each.name}` is renamed, so MODIFIED has to call it `{renamed[each.name]}`"
            )
    folded = {fold(each.name): each for each in old}
    for each in delta.removed:
        if fold(each.name) in folded:
            other_name = folded[fold(each.name)].name
            spelt = "" if each.name == other_name else f", spelt `{other_name}`"
            yield each, f"`{each.name}` is in REMOVED and in RENAMED{spelt}"


def fold(name: str) -> str:
    """The name without the differences that are never meant: case, and how much white space."""
    return BLANKS.sub(" ", name.lower())


def _named(blocks: Sequence[Block]) -> list[NamedRequirement]:
    return [NamedRequirement(block.name, block.heading) for block in blocks]


def _twice(
    section: str, rows: Sequence[NamedRequirement]
) -> Iterator[tuple[NamedRequirement, str]]:
    """The names that stand in a section before."""
    seen = set()
    for each in rows:
        if each.name in seen:
            yield each, f"`{each.name}` stands in {section} twice"
        seen.add(each.name)


def _in_both(
    section: str, rows: Sequence[NamedRequirement], other: str, others: Sequence[NamedRequirement]
) -> Iterator[tuple[NamedRequirement, str]]:
    """The names of a section that stand in the other too."""
    names = {each.name for each in others}
    for each in rows:
        if each.name in names:
            yield each, f"`{each.name}` is in {section} and in {other}"
