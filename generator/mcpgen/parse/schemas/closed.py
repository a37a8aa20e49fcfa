"""Parts of an `allOf` that forbid what the other parts describe, and how they are opened.

`additionalProperties` sees the properties of its own schema alone, so a closed part forbids those of
its neighbours: a composition that reads as the sum of its parts allows none of them. Nobody means that.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from mcpgen.diagnostics import Diagnostics, Location
from mcpgen.diagnostics.codes import parse as codes
from mcpgen.frozen import frozen
from mcpgen.ir.api import Schema
from mcpgen.ir.source import Json

_PREFIX = "#/$defs/"
_SAME_VALUE = ("allOf", "anyOf", "oneOf")
_SHOWN = 4
"""Names that a message shows."""

Composed = tuple[dict[str, Json], Location]
"""A schema with an `allOf`, and where it stands."""


def open_closed(
    composed: Iterable[Composed], definitions: Mapping[str, Schema], diagnostics: Diagnostics
) -> None:
    """Lets every closed part of a composition allow what the rest of it describes.

    A part that is a reference is copied, since what it names stays closed elsewhere. Adds
    CLOSED_PART once for each composition.
    """
    parts = _Parts(definitions)
    for schema, at in composed:
        # A schema that may be null as well stands in the first branch of a choice.
        whole = schema if "allOf" in schema else schema["anyOf"][0]
        described = parts.described(whole)
        forbidden = _opened_own(whole, described)
        for index, part in enumerate(whole["allOf"]):
            missing = _missing(described, parts.described(part)) if parts.closes(part) else {}
            if missing:
                whole["allOf"][index] = parts.opened(part, missing)
            forbidden |= missing
        if forbidden:
            names = ", ".join(f"`{name}`" for name in [*forbidden][:_SHOWN])
            diagnostics.add(codes.CLOSED_PART, at, names=names)


def _opened_own(whole: dict[str, Json], described: dict[str, None]) -> dict[str, None]:
    """The names that a composition itself forbids to its parts, and no longer does."""
    if whole.get("additionalProperties") is not False:
        return {}
    own = whole.get("properties", {})
    missing = _missing(described, own)
    if missing:
        whole["properties"] = own | dict.fromkeys(missing, True)
    return missing


def _missing(described: Iterable[str], known: Mapping[str, Json]) -> dict[str, None]:
    return {name: None for name in described if name not in known}


@frozen
class _Parts:
    """The parts of compositions, their references followed. What applies to one value leads in no
    circle here."""

    definitions: Mapping[str, Schema]

    def described(self, json: Json) -> dict[str, None]:
        """The properties that a schema names, itself or through others of the same value."""
        if not isinstance(json, dict):
            return {}
        found: dict[str, None] = dict.fromkeys(json.get("properties", {}))
        for inner in self._inner(json, _SAME_VALUE):
            found |= self.described(inner)
        return found

    def closes(self, json: Json) -> bool:
        """Whether a schema allows no other properties than it names, by itself or by a part."""
        if not isinstance(json, dict):
            return False
        closed = json.get("additionalProperties") is False
        return closed or any(map(self.closes, self._inner(json, ("allOf",))))

    def opened(self, json: Json, names: Mapping[str, None]) -> Json:
        """A copy of a closed schema that allows more properties."""
        if not self.closes(json):
            return json
        out = dict(json)
        target = self._target(json)
        if target is not None:
            del out["$ref"]
            inner = self.opened(target, names)
            if not out:
                return inner
            out["allOf"] = [inner, *out.get("allOf", ())]
        if "allOf" in out:
            out["allOf"] = [self.opened(part, names) for part in out["allOf"]]
        if out.get("additionalProperties") is False:
            out["properties"] = dict.fromkeys(names, True) | out.get("properties", {})
        return out

    def _inner(self, json: dict[str, Json], keywords: Iterable[str]) -> Iterator[Json]:
        target = self._target(json)
        if target is not None:
            yield target
        for keyword in keywords:
            yield from json.get(keyword, ())

    def _target(self, json: dict[str, Json]) -> Json:
        """The schema a reference leads to, or None."""
        schema = self.definitions.get(json.get("$ref", "").removeprefix(_PREFIX))
        return schema.json if schema is not None else None
