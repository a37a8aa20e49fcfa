"""Where the values of a YAML text stand, noted while it is composed."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from typing import Protocol

from mcpgen.read.lines import Position

COLUMN = 32
"""Bits of a place that hold its column; the line stands above them."""


class YamlMark(Protocol):
    """A place as the YAML library has it: line and column from 0."""

    @property
    def line(self) -> int: ...

    @property
    def column(self) -> int: ...


class YamlPlaces:
    """The places in one text: a row for each entry of a mapping and each item of a list, in the
    order of the text; the first is the document's own.

    Kept in columns, because a large document has hundreds of thousands. Values that an alias repeats
    or a merge brings have no row. The rows below one are gone through once, when first asked for.
    """

    def __init__(self) -> None:
        self._keys: list[str | None] = []
        self._at = array("Q")
        self._behind = array("L")
        self._below: dict[int, dict[str, int]] = {}

    def note(self, key: str | None, mark: YamlMark) -> None:
        """Adds the row of an entry with a key, or of an item, which has none."""
        self._keys.append(key)
        self._at.append(mark.line << COLUMN | mark.column)
        self._behind.append(0)

    def close(self, row: int) -> None:
        """Ends the container of a row: what was noted since stands below it."""
        self._behind[row] = len(self._keys)

    def forget(self, row: int) -> None:
        """Drops a row and all behind it."""
        del self._keys[row:], self._at[row:], self._behind[row:]

    @property
    def count(self) -> int:
        """How many rows there are."""
        return len(self._keys)

    def find(self, path: tuple[str, ...]) -> Position:
        """The position of the value at the path, or of its nearest ancestor."""
        row = 0
        for key in path:
            if row not in self._below:
                self._below[row] = dict(self._rows_below(row))
            if key not in self._below[row]:
                break
            row = self._below[row][key]
        line, column = divmod(self._at[row], 1 << COLUMN)
        return Position(line + 1, column + 1)

    def _rows_below(self, row: int) -> Iterator[tuple[str, int]]:
        """The rows of a container's entries by key, those of its items by index.

        Of several entries with one key the last counts, as it does for the tree.
        """
        behind = self._behind[row]
        below, index = row + 1, 0
        while below < behind:
            key = self._keys[below]
            yield (str(index) if key is None else key), below
            below, index = self._behind[below] or below + 1, index + 1
