"""Parts of an `allOf` that forbid what the other parts describe, and how they are opened.

`additionalProperties` sees the properties of its own schema alone, so a closed part forbids those of
its neighbours: a composition that reads as the sum of its parts allows none of them. Nobody means that.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field

from mcpgen.diagnostics import Diagnostics, Location
from mcpgen.diagnostics.codes import parse as codes
from mcpgen.frozen import frozen
from mcpgen.ir.api import Schema
from mcpgen.ir.source import Json

_PREFIX = "#/$defs/"
_SAME_VALUE = ("allOf", "anyOf", "oneOf")
_SHOWN = 4
"""Names that a message shows."""

MOST = 5_000
"""Properties that all copies of closed parts of one composition may have; a composition that would
take more stays closed."""

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
        whole = _composition(schema)
        if whole is None:
            continue
        described = parts.described(whole)
        copied = {
            index: part
            for index, part in enumerate(whole["allOf"])
            if parts.closing(part) and len(parts.described(part)) < len(described)
        }
        if sum(map(parts.closing, copied.values())) * len(described) > MOST:
            continue
        forbidden = _opened_own(whole, described)
        for index, part in copied.items():
            forbidden |= _missing(described, parts.described(part))
            whole["allOf"][index] = parts.opened(part, described)
        if forbidden:
            names = ", ".join(f"`{name}`" for name in [*forbidden][:_SHOWN])
            diagnostics.add(codes.CLOSED_PART, at, names=names)


def _composition(schema: dict[str, Json]) -> dict[str, Json] | None:
    """The schema that still has an `allOf`, which stands in the first branch of a choice if the value
    may be null as well; None where the whole was found to lead nowhere since."""
    for found in (schema, *schema.get("anyOf", ())[:1]):
        if isinstance(found, dict) and "allOf" in found:
            return found
    return None


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
    circle here, and what a definition says is found out once."""

    definitions: Mapping[str, Schema]
    _described: dict[str, dict[str, None]] = field(default_factory=dict)
    _closing: dict[str, int] = field(default_factory=dict)

    def described(self, json: Json) -> dict[str, None]:
        """The properties that a schema names, itself or through others of the same value."""
        if not isinstance(json, dict):
            return {}
        found: dict[str, None] = dict.fromkeys(json.get("properties", {}))
        for name in self._target(json):
            if name not in self._described:
                self._described[name] = self.described(self.definitions[name].json)
            found |= self._described[name]
        for keyword in _SAME_VALUE:
            for inner in json.get(keyword, ()):
                found |= self.described(inner)
        return found

    def closing(self, json: Json) -> int:
        """How many schemas, with itself and its parts, have to be copied to let it allow other
        properties than it names; 0 if it allows them already."""
        if not isinstance(json, dict):
            return 0
        count = 0
        for name in self._target(json):
            if name not in self._closing:
                self._closing[name] = self.closing(self.definitions[name].json)
            count += self._closing[name]
        count += sum(map(self.closing, json.get("allOf", ())))
        return count + 1 if count or json.get("additionalProperties") is False else 0

    def opened(self, json: Json, names: Mapping[str, None]) -> Json:
        """A copy of a closed schema that allows these properties, and so do its parts, which may be
        compositions that are still closed to each other."""
        if not self.closing(json):
            return json
        out = dict(json)
        parts = [self.opened(part, names) for part in json.get("allOf", ())]
        for name in self._target(json):
            del out["$ref"]
            parts.insert(0, self.opened(self.definitions[name].json, names))
            if not out:
                return parts[0]
        if parts:
            out["allOf"] = parts
        if out.get("additionalProperties") is False:
            own = out.get("properties", {})
            out["properties"] = own | dict.fromkeys(_missing(names, own), True)
        return out

    def _target(self, json: dict[str, Json]) -> Iterator[str]:
        """The name of the definition that a reference leads to, if there is one."""
        name = json.get("$ref", "").removeprefix(_PREFIX)
        if name in self.definitions:
            yield name
