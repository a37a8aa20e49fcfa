"""The requirements of a spec while a delta is applied to it."""

from __future__ import annotations

from collections.abc import Sequence

from mcpgen.openspec.parse.delta import Block
from mcpgen.openspec.parse.delta_conflicts import fold


class MergeState:
    """Requirements by name, each with the row that it had in the spec as long as it is there.

    `was` has the first names of those that were renamed.
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
        """The requirement of exactly that name."""
        return self._blocks.get(name)

    def put(self, block: Block) -> None:
        """Sets the requirement of the block's name; a new name goes to the end."""
        self._blocks[block.name] = block
        self._similar.setdefault(fold(block.name), {})[block.name] = None

    def drop(self, name: str) -> Block:
        """Takes a requirement out, and returns it. Raises KeyError where there is none."""
        del self._similar[fold(name)][name]
        return self._blocks.pop(name)

    def rename(self, old: str, block: Block) -> None:
        """Puts a block in the row of the requirement `old`, which it replaces."""
        self.drop(old)
        self.put(block)
        self.was[block.name] = self.was.pop(old, old)
        if old in self._row:
            row = self._row.pop(old)
            self._row[block.name] = row
            self._rows[row] = block.name

    def similar(self, name: str, *, but: str = "") -> str:
        """The name of a requirement that differs from `name` in case and white space alone, or not
        at all, and is not `but`; `""` where there is none."""
        names = self._similar.get(fold(name), {})
        return next((each for each in names if each != but), "")

    def at(self, row: int) -> Block | None:
        """What stands where the spec had its requirement number `row`, from 0."""
        return self._blocks.get(self._rows[row])

    def in_order(self) -> list[Block]:
        """The requirements: those of the spec where they stood, then the others as they came."""
        placed = [block for row in range(len(self._rows)) if (block := self.at(row))]
        names = set(self._rows)
        return placed + [block for name, block in self._blocks.items() if name not in names]
