"""Lines and columns of locations, found only when one is printed."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from mcpgen.diagnostics import Diagnostics, Location
from mcpgen.ir.source import Document, Json, PositionOf
from mcpgen.read.decode import decode_text
from mcpgen.read.files import content_of
from mcpgen.read.findings import Findings


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


@dataclass(frozen=True, slots=True)
class LoadedDocument:
    """A tree, which may be None, and where its values stand."""

    tree: Json
    position_of: PositionOf


__all__ = ["Position", "Positions"]


class Positions:
    """Answers where a location stands in the documents.

    An entry of a mapping stands where its key is written, an item of a list where it begins. A path
    that leads further than the text does (a merged or repeated value) stands where its nearest
    ancestor stands.
    """

    def __init__(self, documents: Iterable[Document]) -> None:
        # Not the documents themselves: their trees are large, and not needed for this.
        self._by_name = {document.name: document.position_of for document in documents}

    def __call__(self, location: Location) -> Position | None:
        """The position, or None for a file that is not among the documents, or has no tree."""
        if location.line:
            return Position(location.line, location.column)
        position_of = self._by_name.get(location.file)
        return Position(*position_of(location.path)) if position_of else None


class SourceLines:
    """Answers what a line of a file says.

    `texts` are the documents that were read, by name. A file that could not be read as a document
    has no text there although its line is wanted most; it is read from the disk then, or from
    `given`, which holds the bytes that came by another way, such as standard input.
    """

    def __init__(
        self, texts: Iterable[tuple[str, str]], given: Mapping[str, bytes] | None = None
    ) -> None:
        self._given = dict(given or {})
        self._texts: dict[str, str | None] = dict(texts)
        self._lines: dict[str, list[str]] = {}

    def __call__(self, file: str, line: int) -> str | None:
        """The line, counted from 1 and without its end, or None when there is none."""
        if file not in self._lines:
            self._lines[file] = (self._text(file) or "").split("\n")
        lines = self._lines[file]
        return lines[line - 1] if 0 < line <= len(lines) else None

    def _text(self, file: str) -> str | None:
        if file not in self._texts:
            content = self._given.get(file) or content_of(Path(file))
            unused = Findings(Diagnostics())
            self._texts[file] = (
                decode_text(content, file, unused) if type(content) is bytes else None
            )
        return self._texts[file]
