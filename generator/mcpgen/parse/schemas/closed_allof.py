"""Parts of an `allOf` that forbid what the other parts describe, and how they are opened.

`additionalProperties` sees the properties of its own schema alone, so a closed part forbids those of
its neighbours: a composition that reads as the sum of its parts allows none of them. Nobody means that.
The same holds for a part whose `additionalProperties` have a type that a neighbour's property does not
have: no value is valid for that property.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from mcpgen.diagnostics import Diagnostics, Location
from mcpgen.diagnostics.codes import parse as codes
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


def open_closed_parts(
    composed: Iterable[Composed], definitions: Mapping[str, Schema], diagnostics: Diagnostics
) -> None:
    """Lets every closed part of a composition allow what the rest of it describes.

    A part that is a reference is copied, since what it names stays closed elsewhere. Adds
    CLOSED_PART and CONTRADICTORY_KEYWORDS once for each composition.
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
            if (parts.closing(part) and len(parts.described(part)) < len(described))
            or parts.excluded(part, described)
        }
        if sum(parts.closing(part) or 1 for part in copied.values()) * len(described) > MOST:
            continue
        excluded = _open_own(whole, parts.excluded_here(whole, described))
        forbidden = _open_own(whole, _forbidden_here(whole, described))
        for index, part in copied.items():
            if parts.closing(part):
                forbidden |= _missing(described, parts.described(part))
            excluded |= parts.excluded(part, described)
            whole["allOf"][index] = parts.opened(part, described)
        if forbidden:
            diagnostics.add(codes.CLOSED_PART, at, names=_listed(forbidden))
        if excluded:
            diagnostics.add(
                codes.CONTRADICTORY_KEYWORDS,
                at,
                first="the `additionalProperties` of a part of `allOf`",
                second=f"{_listed(excluded)} of another part",
                repair="the declared properties are taken as they are declared",
            )


def _listed(names: Mapping[str, None]) -> str:
    return ", ".join(f"`{name}`" for name in [*names][:_SHOWN])


def _composition(schema: dict[str, Json]) -> dict[str, Json] | None:
    """The schema that still has an `allOf`, which stands in the first branch of a choice if the value
    may be null as well; None where the whole was found to lead nowhere since."""
    for found in (schema, *schema.get("anyOf", ())[:1]):
        if isinstance(found, dict) and "allOf" in found:
            return found
    return None


def _forbidden_here(whole: dict[str, Json], described: Mapping[str, Json]) -> dict[str, None]:
    """The names that a composition itself forbids to its parts."""
    closed = whole.get("additionalProperties") is False
    return _missing(described, whole.get("properties", {})) if closed else {}


def _open_own(whole: dict[str, Json], names: dict[str, None]) -> dict[str, None]:
    """Lets a composition allow these names, which are returned."""
    if names:
        whole["properties"] = whole.get("properties", {}) | dict.fromkeys(names, True)
    return names


def _missing(described: Iterable[str], known: Mapping[str, Json]) -> dict[str, None]:
    return {name: None for name in described if name not in known}


def _has_typed_rest(json: dict[str, Json]) -> bool:
    """Whether a schema has a schema for the properties that it does not name."""
    return isinstance(json.get("additionalProperties"), dict)


@dataclass(frozen=True, slots=True)
class _Parts:
    """The parts of compositions, their references followed. What applies to one value leads in no
    circle here, and what a definition says is found out once."""

    definitions: Mapping[str, Schema]
    _described: dict[str, dict[str, Json]] = field(default_factory=dict)
    _closing: dict[str, int] = field(default_factory=dict)
    _typed: dict[str, bool] = field(default_factory=dict)

    def described(self, json: Json) -> dict[str, Json]:
        """The properties that a schema names, itself or through others of the same value, each with
        the first of its schemas."""
        if not isinstance(json, dict):
            return {}
        found: dict[str, Json] = dict(json.get("properties", {}))
        for name in self._target(json):
            if name not in self._described:
                self._described[name] = self.described(self.definitions[name].json)
            found |= self._described[name] | found
        for keyword in _SAME_VALUE:
            for inner in json.get(keyword, ()):
                found |= self.described(inner) | found
        return found

    def excluded(self, json: Json, names: Mapping[str, Json]) -> dict[str, None]:
        """Those of these properties for which the `additionalProperties` of a schema or of its parts
        allow no value at all."""
        if not self._is_typed(json):
            return {}
        found = self.excluded_here(json, names)
        parts = [self.definitions[name].json for name in self._target(json)]
        for part in (*parts, *json.get("allOf", ())):
            found |= self.excluded(part, names)
        return found

    def excluded_here(self, json: dict[str, Json], names: Mapping[str, Json]) -> dict[str, None]:
        """Those of these properties for which a schema's own `additionalProperties` allow no value."""
        allowed = self._types(json["additionalProperties"]) if _has_typed_rest(json) else None
        if allowed is None:
            return {}
        missing = _missing(names, json.get("properties", {}))
        types = {name: self._types(names[name]) for name in missing}
        return {name: None for name, own in types.items() if own and own.isdisjoint(allowed)}

    def _is_typed(self, json: Json) -> bool:
        """Whether a schema or one of its parts has a schema for additional properties."""
        if not isinstance(json, dict):
            return False
        for name in self._target(json):
            if name not in self._typed:
                self._typed[name] = self._is_typed(self.definitions[name].json)
            if self._typed[name]:
                return True
        return _has_typed_rest(json) or any(map(self._is_typed, json.get("allOf", ())))

    def _types(self, json: Json) -> frozenset[str] | None:
        """The types of the values that a schema allows; None where the schema does not say."""
        if not isinstance(json, dict):
            return None
        found = [self._types(self.definitions[name].json) for name in self._target(json)]
        if "type" in json:
            types = [json["type"]] if isinstance(json["type"], str) else json["type"]
            found.append(frozenset([*types, *(["integer"] * ("number" in types))]))
        found += map(self._types, json.get("allOf", ()))
        for union in ("anyOf", "oneOf"):
            branches = [self._types(branch) for branch in json.get(union, ())]
            if branches and None not in branches:
                found.append(frozenset().union(*filter(None, branches)))
        known = [types for types in found if types is not None]
        return frozenset.intersection(*known) if known else None

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

    def opened(self, json: Json, names: Mapping[str, Json]) -> Json:
        """A copy of a closed schema that allows these properties, and so do its parts, which may be
        compositions that are still closed to each other."""
        if not self.closing(json) and not self.excluded(json, names):
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
        _open_own(out, _forbidden_here(out, names) | self.excluded_here(out, names))
        return out

    def _target(self, json: dict[str, Json]) -> Iterator[str]:
        """The name of the definition that a reference leads to, if there is one."""
        name = json.get("$ref", "").removeprefix(_PREFIX)
        if name in self.definitions:
            yield name
