"""The named schemas that one value meets on its way through a schema.

A validator of a schema compiles all schemas that it leads to, which in a large description is nearly
all of them, for every question anew. A value is small, and meets few of them; none of the others can
say anything about it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from mcpgen.samples.library import Json, name_of, references

_OF_THE_VALUE = frozenset({"allOf", "anyOf", "oneOf", "not", "if", "then", "else"})
_OF_MEMBERS = frozenset({"additionalProperties", "unevaluatedProperties"})
_OF_ITEMS = frozenset({"items", "unevaluatedItems", "contains"})

Pair = tuple[Any, Any]
"""A schema and a value that it is asked about."""


class Met:
    """What finds them among definitions, which are taken not to change."""

    def __init__(self, definitions: Mapping[str, Json]) -> None:
        self._definitions = definitions
        self._named: dict[str, frozenset[str]] = {}

    def by(self, value: Json, schema: Json) -> dict[str, Json]:
        """The definitions that a schema needs to judge one value, in the order of their names: those
        that the value meets as they are, and in place of those that they lead to besides one that
        allows everything and is never asked."""
        found = self._found(value, schema)
        named = set(references(schema)).union(*map(self._used, found))
        named.intersection_update(self._definitions.keys())
        return {
            name: self._definitions[name] if name in found else True
            for name in sorted(found | named)
        }

    def _found(self, value: Json, schema: Json) -> set[str]:
        """The names of the definitions that a value meets."""
        found: set[str] = set()
        seen: set[tuple[int, int]] = set()
        waiting: list[Pair] = [(schema, value)]
        while waiting:
            part, asked = waiting.pop()
            key = (id(part), id(asked))
            if key in seen or not isinstance(part, dict):
                continue
            seen.add(key)
            reference = part.get("$ref")
            if isinstance(reference, str) and (name := name_of(reference)) in self._definitions:
                found.add(name)
                waiting.append((self._definitions[name], asked))
            waiting += _asked(part, asked)
        return found

    def _used(self, name: str) -> frozenset[str]:
        """The names that the references of a definition lead to."""
        if name not in self._named:
            self._named[name] = frozenset(references(self._definitions[name]))
        return self._named[name]


def _asked(schema: Mapping[str, Json], value: Json) -> Iterator[Pair]:
    """The schemas directly inside one, each with the values that it is asked about."""
    for keyword, part in schema.items():
        if keyword in _OF_THE_VALUE:
            for each in part if isinstance(part, list) else [part]:
                yield each, value
        elif isinstance(value, dict):
            yield from _asked_of_members(keyword, part, value)
        elif isinstance(value, list) and keyword in _OF_ITEMS:
            for item in value:
                yield part, item
        elif isinstance(value, list) and keyword == "prefixItems" and isinstance(part, list):
            yield from zip(part, value, strict=False)


def _asked_of_members(keyword: str, part: Json, value: Mapping[str, Json]) -> Iterator[Pair]:
    """What a keyword of an object asks: whichever pattern a name meets, all are looked at."""
    if keyword == "properties" and isinstance(part, dict):
        for name, member in value.items():
            if name in part:
                yield part[name], member
    elif keyword == "patternProperties" and isinstance(part, dict):
        for each in part.values():
            for member in value.values():
                yield each, member
    elif keyword in _OF_MEMBERS:
        for member in value.values():
            yield part, member
    elif keyword == "propertyNames":
        for name in value:
            yield part, name
    elif keyword == "dependentSchemas" and isinstance(part, dict):
        for each in part.values():
            yield each, value
