"""Opens parts of an `allOf` that forbid properties of other parts.

`additionalProperties` sees only the properties of its own schema, so a closed part forbids the
properties of its siblings, and the composition allows no value with all properties: never the
author's intention. The same holds for a part whose `additionalProperties` have a type that a
sibling's property does not have.
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
"""Names shown in a message."""

MAX_PROPERTIES = 5_000
"""Properties in all copies of closed parts of one composition; a larger composition stays closed.
"""

Composition = tuple[dict[str, Json], Location]
"""A schema with `allOf`, and its location."""


def open_closed_parts(
    compositions: Iterable[Composition], definitions: Mapping[str, Schema], diagnostics: Diagnostics
) -> None:
    """Lets every closed part of a composition allow the properties of the other parts.

    A part that is a reference is copied, since the definition stays closed elsewhere. Adds
    CLOSED_PART and CONTRADICTORY_KEYWORDS once per composition.
    """
    parts = _Parts(definitions)
    for schema, at in compositions:
        composition = _composition(schema)
        if composition is None:
            continue
        properties = parts.properties_of(composition)
        copies = {
            index: part
            for index, part in enumerate(composition["allOf"])
            if (parts.closed_count(part) and len(parts.properties_of(part)) < len(properties))
            or parts.excluded_names_of(part, properties)
        }
        if (
            sum(parts.closed_count(part) or 1 for part in copies.values()) * len(properties)
            > MAX_PROPERTIES
        ):
            continue
        excluded_names = _allow(composition, parts.excluded_by(composition, properties))
        forbidden_names = _allow(composition, _forbidden_names(composition, properties))
        for index, part in copies.items():
            if parts.closed_count(part):
                forbidden_names |= _names_without(properties, parts.properties_of(part))
            excluded_names |= parts.excluded_names_of(part, properties)
            composition["allOf"][index] = parts.open_part(part, properties)
        if forbidden_names:
            diagnostics.add(codes.CLOSED_PART, at, names=_quote_names(forbidden_names))
        if excluded_names:
            diagnostics.add(
                codes.CONTRADICTORY_KEYWORDS,
                at,
                first="the `additionalProperties` of a part of `allOf`",
                second=f"{_quote_names(excluded_names)} of another part",
                repair="the declared properties are taken as they are declared",
            )


def _quote_names(names: Mapping[str, None]) -> str:
    shown_names = ", ".join(f"`{name}`" for name in [*names][:_SHOWN])
    return shown_names + (f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else "")


def _composition(schema: dict[str, Json]) -> dict[str, Json] | None:
    """The schema that holds `allOf`: the schema, or its first `anyOf` branch if null is allowed.
    None if the `allOf` was cut."""
    for candidate in (schema, *schema.get("anyOf", ())[:1]):
        if isinstance(candidate, dict) and "allOf" in candidate:
            return candidate
    return None


def _forbidden_names(
    composition: dict[str, Json], properties: Mapping[str, Json]
) -> dict[str, None]:
    """Properties of parts that the composition itself forbids."""
    is_closed = composition.get("additionalProperties") is False
    return _names_without(properties, composition.get("properties", {})) if is_closed else {}


def _allow(composition: dict[str, Json], names: dict[str, None]) -> dict[str, None]:
    """Adds properties to a composition, each with schema `true`; returns the names."""
    if names:
        composition["properties"] = composition.get("properties", {}) | dict.fromkeys(names, True)
    return names


def _names_without(properties: Iterable[str], own: Mapping[str, Json]) -> dict[str, None]:
    return {name: None for name in properties if name not in own}


def _has_typed_rest(json: dict[str, Json]) -> bool:
    """True if `additionalProperties` is a schema."""
    return isinstance(json.get("additionalProperties"), dict)


@dataclass(frozen=True, slots=True)
class _Parts:
    """Facts about parts of compositions, through references. Expects definitions without cycles;
    facts about a definition are cached."""

    definitions: Mapping[str, Schema]
    _properties: dict[str, dict[str, Json]] = field(default_factory=dict)
    _closed_counts: dict[str, int] = field(default_factory=dict)
    _typed: dict[str, bool] = field(default_factory=dict)

    def properties_of(self, json: Json) -> dict[str, Json]:
        """Properties of a schema and of all schemas for the same value; the first schema of a name
        wins."""
        if not isinstance(json, dict):
            return {}
        properties: dict[str, Json] = dict(json.get("properties", {}))
        for name in self._target(json):
            if name not in self._properties:
                self._properties[name] = self.properties_of(self.definitions[name].json)
            properties |= self._properties[name] | properties
        for keyword in _SAME_VALUE:
            for inner in json.get(keyword, ()):
                properties |= self.properties_of(inner) | properties
        return properties

    def excluded_names_of(self, json: Json, names: Mapping[str, Json]) -> dict[str, None]:
        """Properties without any valid value by `additionalProperties` of a schema or its parts."""
        if not self._has_typed_part(json):
            return {}
        excluded_names = self.excluded_by(json, names)
        parts = [self.definitions[name].json for name in self._target(json)]
        for part in (*parts, *json.get("allOf", ())):
            excluded_names |= self.excluded_names_of(part, names)
        return excluded_names

    def excluded_by(self, json: dict[str, Json], names: Mapping[str, Json]) -> dict[str, None]:
        """Properties without any valid value by a schema's own `additionalProperties`."""
        allowed = self._types(json["additionalProperties"]) if _has_typed_rest(json) else None
        if allowed is None:
            return {}
        missing = _names_without(names, json.get("properties", {}))
        types = {name: self._types(names[name]) for name in missing}
        return {
            name: None
            for name, property_types in types.items()
            if property_types and property_types.isdisjoint(allowed)
        }

    def _has_typed_part(self, json: Json) -> bool:
        """True if `additionalProperties` of a schema or one of its parts is a schema."""
        if not isinstance(json, dict):
            return False
        for name in self._target(json):
            if name not in self._typed:
                self._typed[name] = self._has_typed_part(self.definitions[name].json)
            if self._typed[name]:
                return True
        return _has_typed_rest(json) or any(map(self._has_typed_part, json.get("allOf", ())))

    def _types(self, json: Json) -> frozenset[str] | None:
        """Types that a schema allows; None if unknown."""
        if not isinstance(json, dict):
            return None
        constraints = [self._types(self.definitions[name].json) for name in self._target(json)]
        if "type" in json:
            types = [json["type"]] if isinstance(json["type"], str) else json["type"]
            constraints.append(frozenset([*types, *(["integer"] * ("number" in types))]))
        constraints += map(self._types, json.get("allOf", ()))
        for union in ("anyOf", "oneOf"):
            branches = [self._types(branch) for branch in json.get(union, ())]
            if branches and None not in branches:
                constraints.append(frozenset().union(*filter(None, branches)))
        limits = [types for types in constraints if types is not None]
        return frozenset.intersection(*limits) if limits else None

    def closed_count(self, json: Json) -> int:
        """Number of schemas to copy in order to open a schema; 0 for an open schema."""
        if not isinstance(json, dict):
            return 0
        count = 0
        for name in self._target(json):
            if name not in self._closed_counts:
                self._closed_counts[name] = self.closed_count(self.definitions[name].json)
            count += self._closed_counts[name]
        count += sum(map(self.closed_count, json.get("allOf", ())))
        return count + 1 if count or json.get("additionalProperties") is False else 0

    def open_part(self, json: Json, names: Mapping[str, Json]) -> Json:
        """Copy of a closed schema and its parts that allows the given properties; an open schema is
        returned as it is."""
        if not self.closed_count(json) and not self.excluded_names_of(json, names):
            return json
        out = dict(json)
        parts = [self.open_part(part, names) for part in json.get("allOf", ())]
        for name in self._target(json):
            del out["$ref"]
            parts.insert(0, self.open_part(self.definitions[name].json, names))
            if not out:
                return parts[0]
        if parts:
            out["allOf"] = parts
        _allow(out, _forbidden_names(out, names) | self.excluded_by(out, names))
        return out

    def _target(self, json: dict[str, Json]) -> Iterator[str]:
        """Yields the name of the definition behind `$ref`, if any."""
        name = json.get("$ref", "").removeprefix(_PREFIX)
        if name in self.definitions:
            yield name
