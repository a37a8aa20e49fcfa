"""Where the values of a JSON text stand, found by skipping what lies beside them."""

from __future__ import annotations

import json
import re
from functools import cached_property

from mcpgen.read.lines import LineStarts, Position

SPACE = re.compile(r"[ \t\n\r]*")
VALUE_AT = json.JSONDecoder().raw_decode


LEVELS = 2
"""Containers that are looked through along with the one around them, so many levels below the root:
`paths` and `components` are most of a text, which would be read once more for what is in them."""


class JsonPlaces:
    """The places in one text. Nothing is looked for before it is asked for, and the entries of a
    container are found once."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._entries: dict[int, dict[str, tuple[int, int]]] = {}

    def find(self, path: tuple[str, ...]) -> Position:
        """The position of the value at the path, or of its nearest ancestor."""
        place = value = self._skip(0)
        if path and not self._entries:
            self._look_through(value, LEVELS)
        for key in path:
            if value not in self._entries:
                self._look_through(value, 0)
            entry = self._entries[value].get(key)
            if entry is None:
                break
            place, value = entry
        return self._starts(place)

    @cached_property
    def _starts(self) -> LineStarts:
        return LineStarts(self._text)

    def _look_through(self, start: int, levels: int) -> int:
        """Takes down the entries of the container at `start`, and of those so many levels below it:
        by key, where the entry and its value stand. Returns the offset behind it.

        Of several entries with one key the last counts, as it does for the tree.
        """
        opening = self._text[start : start + 1]
        entries: dict[str, tuple[int, int]] = {}
        self._entries[start] = entries
        offset = self._skip(start + 1)
        while opening in ("{", "[") and self._text[offset : offset + 1] not in ("}", "]", ""):
            place = offset
            key = str(len(entries))
            if opening == "{":
                key, offset = VALUE_AT(self._text, offset)
                offset = self._skip(self._skip(offset) + 1)
            entries[key] = (place, offset)
            if levels and self._text[offset] in "{[":
                offset = self._look_through(offset, levels - 1)
            else:
                _, offset = VALUE_AT(self._text, offset)
            offset = self._skip(offset)
            if self._text[offset : offset + 1] == ",":
                offset = self._skip(offset + 1)
        return offset + 1

    def _skip(self, offset: int) -> int:
        """The offset behind the white space at `offset`."""
        space = SPACE.match(self._text, offset)
        return space.end() if space else offset
