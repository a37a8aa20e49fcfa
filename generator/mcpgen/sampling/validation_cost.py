"""Upper bound of schema evaluations that validating one value costs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

Json = Any
"""A JSON value."""

_OF_THE_VALUE = frozenset({"allOf", "anyOf", "oneOf", "not", "if", "then", "else"})
_OF_MEMBERS = frozenset({"additionalProperties", "unevaluatedProperties"})
_OF_ITEMS = frozenset({"items", "unevaluatedItems", "contains"})

Pair = tuple[Any, Any]
"""A schema and the value it applies to."""


def applied_subschemas(schema: Mapping[str, Json], value: Json) -> Iterable[Pair]:
    """Yields the direct subschemas with the values they apply to."""
    if not isinstance(value, dict | list) and _OF_THE_VALUE.isdisjoint(schema):
        return ()
    return _pairs(schema, value)


def _pairs(schema: Mapping[str, Json], value: Json) -> Iterator[Pair]:
    for keyword, part in schema.items():
        if keyword in _OF_THE_VALUE:
            for subschema in part if isinstance(part, list) else [part]:
                yield subschema, value
        elif isinstance(value, dict):
            yield from _member_pairs(keyword, part, value)
        elif isinstance(value, list) and keyword in _OF_ITEMS:
            for item in value:
                yield part, item
        elif isinstance(value, list) and keyword == "prefixItems" and isinstance(part, list):
            yield from zip(part, value, strict=False)


def _member_pairs(keyword: str, part: Json, value: Mapping[str, Json]) -> Iterator[Pair]:
    """Yields the subschemas of an object keyword with their members. `patternProperties` counts
    every pair."""
    if keyword == "properties" and isinstance(part, dict):
        for name, member in value.items():
            if name in part:
                yield part[name], member
    elif keyword == "patternProperties" and isinstance(part, dict):
        for subschema in part.values():
            for member in value.values():
                yield subschema, member
    elif keyword in _OF_MEMBERS:
        for member in value.values():
            yield part, member
    elif keyword == "propertyNames":
        for name in value:
            yield part, name
    elif keyword == "dependentSchemas" and isinstance(part, dict):
        for subschema in part.values():
            yield subschema, value


MAX_COST = 1_000_000
"""Most schema evaluations of one validation.

Values of real descriptions need at most 4,000 (ARCHITECTURE.md).
"""

_OF_THE_REST = frozenset({"unevaluatedProperties", "unevaluatedItems"})


def validation_cost(value: Json, schema: Json, resolved: Callable[[str], Json]) -> int:
    """Returns an upper bound of schema evaluations, exact up to `MAX_COST`; `resolved` follows
    references.

    Counts breadth-first; a schema and value reached by several paths is stored once with a
    multiplicity, separately for validation and for collecting evaluated members
    (`unevaluatedProperties`).
    """
    asked = 0
    level: dict[tuple[int, int], tuple[Pair, int, int]] = {(0, 0): ((schema, value), 1, 0)}
    while level and asked <= MAX_COST:
        below: dict[tuple[int, int], tuple[Pair, int, int]] = {}
        for (part, asked_of), met, looked in level.values():
            times = met + looked
            asked += times
            # `unevaluated…` depends on the members that sibling schemas of the same value have
            # evaluated, so jsonschema-rs validates those schemas a second time.
            looked_on = looked + times if _wants_rest(part) else looked
            for pair in _next_pairs(part, asked_of, resolved):
                key = (id(pair[0]), id(pair[1]))
                _, met_before, looked_before = below.get(key, (pair, 0, 0))
                more = looked_on if pair[1] is asked_of else 0
                below[key] = (pair, met_before + times, looked_before + more)
        level = below
    return asked


def _wants_rest(schema: Json) -> bool:
    """True for a schema with `unevaluated…`, which evaluates its subschemas a second time."""
    return isinstance(schema, dict) and not _OF_THE_REST.isdisjoint(schema)


def _next_pairs(schema: Json, value: Json, resolved: Callable[[str], Json]) -> Iterable[Pair]:
    """Returns the next pairs: the target of a reference and the direct subschemas."""
    if not isinstance(schema, dict):
        return ()
    reference = schema.get("$ref")
    inside = applied_subschemas(schema, value)
    return [(resolved(reference), value), *inside] if isinstance(reference, str) else inside
