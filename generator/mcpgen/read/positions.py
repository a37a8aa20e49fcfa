"""Lines and columns of locations, found only when one is printed."""

from __future__ import annotations

from collections.abc import Iterable

from mcpgen.diagnostics import Location
from mcpgen.ir.source import Document
from mcpgen.read.lines import Position

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
