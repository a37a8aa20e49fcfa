"""Lines and columns in source files, and the lines themselves, for messages."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from mcpgen.diagnostics import Diagnostics, Location
from mcpgen.ir.source import Document, Json, PositionOf
from mcpgen.read.decode import decode_text
from mcpgen.read.files import read_user_file
from mcpgen.read.findings import Findings


class Position(NamedTuple):
    """Line and column, both from 1; a column counts characters."""

    line: int
    column: int


class LineStarts:
    """Offsets of the lines of a text."""

    def __init__(self, text: str) -> None:
        starts = [0]
        offset = text.find("\n")
        while offset >= 0:
            starts.append(offset + 1)
            offset = text.find("\n", offset + 1)
        self._starts = starts

    def __call__(self, offset: int) -> Position:
        """Position of the character at `offset`, found by bisection."""
        line = bisect_right(self._starts, offset)
        return Position(line, offset - self._starts[line - 1] + 1)


@dataclass(frozen=True, slots=True)
class LoadedDocument:
    """Tree of a document, possibly None, and the function that gives positions of its values."""

    tree: Json
    position_of: PositionOf


__all__ = ["Position", "Positions"]


class Positions:
    """Maps locations to positions in the documents, on demand.

    An entry of a mapping has the position of its key, an item of a list the position of its first
    character. A path beyond the text (a merged or aliased value) has the position of the nearest
    ancestor.
    """

    def __init__(self, documents: Iterable[Document]) -> None:
        # Not the documents themselves: their trees are large, and not needed for this.
        self._by_name = {document.name: document.position_of for document in documents}

    def __call__(self, location: Location) -> Position | None:
        """The position, or None for an unknown file or a file without a tree."""
        if location.line:
            return Position(location.line, location.column)
        position_of = self._by_name.get(location.file)
        return Position(*position_of(location.path)) if position_of else None


class SourceLines:
    """Gives the text of a line for excerpts in messages.

    `texts` are the loaded documents by name. A file that could not be loaded is read from the disk,
    or from `given` for content from elsewhere, such as standard input.
    """

    def __init__(
        self, texts: Iterable[tuple[str, str]], contents: Mapping[str, bytes] | None = None
    ) -> None:
        self._contents = dict(contents or {})
        self._texts: dict[str, str | None] = dict(texts)
        self._lines: dict[str, list[str]] = {}

    def __call__(self, file: str, line: int) -> str | None:
        """The line without its line break, counted from 1, or None."""
        if file not in self._lines:
            self._lines[file] = (self._text(file) or "").split("\n")
        lines = self._lines[file]
        return lines[line - 1] if 0 < line <= len(lines) else None

    def _text(self, file: str) -> str | None:
        if file not in self._texts:
            content = self._contents.get(file) or read_user_file(Path(file))
            unused = Findings(Diagnostics())
            self._texts[file] = (
                decode_text(content, file, unused) if type(content) is bytes else None
            )
        return self._texts[file]
