"""Offsets in a text as lines and columns."""

from __future__ import annotations

from bisect import bisect_right
from typing import NamedTuple


class Position(NamedTuple):
    """A line and a column, both from 1; a column counts characters."""

    line: int
    column: int


class LineStarts:
    """Where the lines of a text start; turns an offset into a position."""

    def __init__(self, text: str) -> None:
        starts = [0]
        offset = text.find("\n")
        while offset >= 0:
            starts.append(offset + 1)
            offset = text.find("\n", offset + 1)
        self._starts = starts

    def __call__(self, offset: int) -> Position:
        """The position of the character at `offset`."""
        line = bisect_right(self._starts, offset)
        return Position(line, offset - self._starts[line - 1] + 1)
