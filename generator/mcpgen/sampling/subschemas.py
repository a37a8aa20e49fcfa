"""What a schema asks: the schemas directly inside it, each with the values that it is held against."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
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
