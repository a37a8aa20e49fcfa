"""Lines and columns of locations, found only when one is printed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from mcpgen.diagnostics import Location
from mcpgen.ir.source import Syntax
from mcpgen.read.json_positions import JsonPlaces
from mcpgen.read.lines import Position

if TYPE_CHECKING:
    from mcpgen.read.yaml_positions import YamlPlaces

__all__ = ["Position", "Positions"]


class Positions:
    """Answers where a location stands in the documents given as (name, syntax, text).

    An entry of a mapping stands where its key is written, an item of a list where it begins. A path
    that leads further than the text does (a merged or repeated value) stands where its nearest
    ancestor stands.
    """

    def __init__(self, documents: Iterable[tuple[str, Syntax, str]]) -> None:
        self._documents = {name: (syntax, text) for name, syntax, text in documents}
        self._places: dict[str, JsonPlaces | YamlPlaces] = {}

    def __call__(self, location: Location) -> Position | None:
        """The position, or None for a file that is not among the documents, or has no tree."""
        if location.line:
            return Position(location.line, location.column)
        file = location.file
        if file not in self._documents:
            return None
        if file not in self._places:
            places = _places(*self._documents[file])
            if places is None:
                return None
            self._places[file] = places
        return self._places[file].find(location.path)


def _places(syntax: Syntax, text: str) -> JsonPlaces | YamlPlaces | None:
    """The places in a text, None where its syntax has no tree."""
    if syntax is Syntax.JSON:
        return JsonPlaces(text)
    if syntax is not Syntax.YAML:
        return None
    # Loaded here: a document in JSON does without it.
    from mcpgen.read.yaml_positions import YamlPlaces

    return YamlPlaces(text)
