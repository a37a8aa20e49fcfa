"""A delta: what a change adds to a spec, replaces, takes away and calls by another name."""

from __future__ import annotations

from dataclasses import dataclass

from mcpgen.openspec.model.requirements import RequirementChange
from mcpgen.openspec.parse.lines import Line, Lines


@dataclass(frozen=True, slots=True)
class Block:
    """A requirement as lines: its heading, and everything up to the next one."""

    name: str
    lines: tuple[Line, ...]

    @property
    def heading(self) -> Line:
        """The line that names it."""
        return self.lines[0]


@dataclass(frozen=True, slots=True)
class NamedRequirement:
    """A requirement that is only named, and the line that does."""

    name: str
    line: Line


@dataclass(frozen=True, slots=True)
class Renaming:
    """What a requirement is called, and what it shall be called."""

    old: NamedRequirement
    new: NamedRequirement


@dataclass(frozen=True, slots=True)
class UnpairedRename:
    """A FROM: without its TO:, or the reverse."""

    side: str
    named: NamedRequirement


@dataclass(frozen=True, slots=True)
class Delta:
    """A delta as OpenSpec's block reader sees it, in document order.

    `present` are the kinds of sections there are. `strays` are other headings of level 3 with the
    section they stand in, `orphans` requirements outside of every section of a delta.
    """

    text: Lines
    added: tuple[Block, ...]
    modified: tuple[Block, ...]
    removed: tuple[NamedRequirement, ...]
    renamed: tuple[Renaming, ...]
    unpaired: tuple[UnpairedRename, ...]
    strays: tuple[tuple[str, Line], ...]
    orphans: tuple[NamedRequirement, ...]
    present: frozenset[RequirementChange]

    @property
    def empty(self) -> bool:
        """Whether nothing is asked for."""
        return not (self.added or self.modified or self.removed or self.renamed)
