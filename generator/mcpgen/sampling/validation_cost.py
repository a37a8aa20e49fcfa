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
    """Yields the subschemas of an object keyword with their members. `patternProperties` counts
    every pair."""
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
"""Most schema evaluations of one validation.

Values of real descriptions need at most 4,000 (docs/benchmarks.md).
"""

_OF_THE_REST = frozenset({"unevaluatedProperties", "unevaluatedItems"})


def effort(value: Json, schema: Json, resolved: Callable[[str], Json]) -> int:
    """Returns an upper bound of schema evaluations, exact up to `MOST`; `resolved` follows
    references.

    Counts breadth-first; a schema and value reached by several paths is stored once with a
    multiplicity, separately for validation and for collecting evaluated members
    (`unevaluatedProperties`).
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
    """True for a schema with `unevaluated…`, which evaluates its subschemas a second time."""
    return isinstance(schema, dict) and not _OF_THE_REST.isdisjoint(schema)


def _following(schema: Json, value: Json, resolved: Callable[[str], Json]) -> Iterable[Pair]:
    """Returns the next pairs: the target of a reference and the direct subschemas."""
    if not isinstance(schema, dict):
        return ()
    reference = schema.get("$ref")
    inside = applied_subschemas(schema, value)
    return [(resolved(reference), value), *inside] if isinstance(reference, str) else inside
