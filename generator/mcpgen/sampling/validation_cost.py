"""What a schema asks: the schemas directly inside it, each with the values that it is held against."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

Json = Any
"""A JSON value."""

_OF_THE_VALUE = frozenset({"allOf", "anyOf", "oneOf", "not", "if", "then", "else"})
_OF_MEMBERS = frozenset({"additionalProperties", "unevaluatedProperties"})
_OF_ITEMS = frozenset({"items", "unevaluatedItems", "contains"})

Pair = tuple[Any, Any]
"""A schema and a value that it is asked about."""


def applied_subschemas(schema: Mapping[str, Json], value: Json) -> Iterable[Pair]:
    """The schemas directly inside one, each with the values that it is asked about."""
    if not isinstance(value, dict | list) and _OF_THE_VALUE.isdisjoint(schema):
        return ()
    return _asked_by(schema, value)


def _asked_by(schema: Mapping[str, Json], value: Json) -> Iterator[Pair]:
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


MOST = 1_000_000
"""Schemas that a validator may have to ask about one value and what is in it."""

_OF_THE_REST = frozenset({"unevaluatedProperties", "unevaluatedItems"})


def effort(value: Json, schema: Json, resolved: Callable[[str], Json]) -> int:
    """How many schemas a validator has to ask at most, not counted further than beyond MOST;
    `resolved` follows references.

    Counted level by level, where those that are met on several ways stand once, with how often they
    are asked whether the value meets them, and how often which of its members or items they look at.
    """
    asked = 0
    level: dict[tuple[int, int], tuple[Pair, int, int]] = {(0, 0): ((schema, value), 1, 0)}
    while level and asked <= MOST:
        below: dict[tuple[int, int], tuple[Pair, int, int]] = {}
        for (part, asked_of), met, looked in level.values():
            both = met + looked
            asked += both
            # Only schemas of the same value look at its members. Who says what they looked at finds
            # out which of them are met; who speaks of the rest has to know it to be met itself.
            looked_on = looked + both if _wants_rest(part) else looked
            for pair in _following(part, asked_of, resolved):
                key = (id(pair[0]), id(pair[1]))
                _, met_before, looked_before = below.get(key, (pair, 0, 0))
                more = looked_on if pair[1] is asked_of else 0
                below[key] = (pair, met_before + both, looked_before + more)
        level = below
    return asked


def _wants_rest(schema: Json) -> bool:
    """Whether a schema speaks of what no other has looked at, and has all below asked again for it."""
    return isinstance(schema, dict) and not _OF_THE_REST.isdisjoint(schema)


def _following(schema: Json, value: Json, resolved: Callable[[str], Json]) -> Iterable[Pair]:
    """What is asked next: what a reference leads to, and the schemas directly inside."""
    if not isinstance(schema, dict):
        return ()
    reference = schema.get("$ref")
    inside = applied_subschemas(schema, value)
    return [(resolved(reference), value), *inside] if isinstance(reference, str) else inside
