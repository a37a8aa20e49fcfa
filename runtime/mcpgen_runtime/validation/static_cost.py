"""Schemas of which it is known beforehand that they ask little of every value, however deep it is.

Most schemas that refer to themselves ask each value once, as a tree does of its branches. What counts is
which schemas are asked together about one value, and which of these about each of its members and items:
where the same come together again, it goes on like that for ever.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

from ..tool import Json
from .regex_cost import is_quick
from .subschemas import RULING, names_like, of_the_value

MOST_LOOKS = 5_000
"""How many schemas are looked at, each as often as it is asked together with others; a schema that
needs more counts as one of which nothing is known."""

Schemas = Sequence[dict[str, Any]]


def longest(whole: Json, most: int) -> int:
    """How many schemas stand inside one another that are asked about the same value at most; 0 if a
    value may be asked about by more than `most`, or if that depends on the value."""
    known: set[tuple[int, ...]] = set()
    waiting: list[list[Json]] = [[whole]]
    found, looks = 0, 0
    while waiting:
        together = waiting.pop()
        key = tuple(sorted(map(id, together)))
        if key in known:
            continue
        known.add(key)
        levels = list(_levels(together, whole, most))
        asked = [one for level in levels for one in level if isinstance(one, dict)]
        if sum(map(len, levels)) > most or not all(map(asks_once, asked)):
            return 0
        for inside in chain(_of_members(asked), _of_items(asked)):
            looks += len(asked)
            if looks > MOST_LOOKS:
                return 0
            waiting.append(inside)
        found = max(found, len(levels))
    return found


def asks_once(schema: dict[str, Any]) -> bool:
    """Whether a schema wants to know nothing of what others look at, and all its patterns, those of
    names too, are quick."""
    patterns = [schema.get("pattern"), *_mapping(schema, "patternProperties")]
    texts = (each for each in patterns if isinstance(each, str))
    return RULING.isdisjoint(schema) and all(map(is_quick, texts))


def _levels(together: list[Json], whole: Json, most: int) -> Iterator[list[Json]]:
    """Schemas and those that they ask about the same value, inside one another; cut off beyond `most`."""
    count, level = 0, together
    while level and count <= most:
        yield level
        count += len(level)
        held = [one for one in level if isinstance(one, dict)]
        level = [
            inner
            for one in held
            for inner in (
                *of_the_value(one, whole),
                *_mapping(one, "dependentSchemas").values(),
            )
        ]


def _of_members(schemas: Schemas) -> Iterator[list[Json]]:
    """The schemas that are asked together about a member, for each name that any of these knows and for
    all others; and those about a name."""
    names = dict.fromkeys(name for one in schemas for name in _mapping(one, "properties"))
    for name in (*names, None):
        yield [part for one in schemas for part in _of_member(one, name)]
    yield [one["propertyNames"] for one in schemas if "propertyNames" in one] + [
        names_like(pattern) for one in schemas for pattern in _mapping(one, "patternProperties")
    ]


def _of_member(schema: dict[str, Any], name: str | None) -> Iterator[Json]:
    """The parts of a schema about a member of this name; whichever pattern it meets, all count."""
    known = _mapping(schema, "properties")
    if name in known:
        yield known[name]
    elif "additionalProperties" in schema:
        yield schema["additionalProperties"]
    yield from _mapping(schema, "patternProperties").values()


def _of_items(schemas: Schemas) -> Iterator[list[Json]]:
    """The schemas that are asked together about an item, for each place that any of these knows and for
    all behind."""
    first = max((len(one.get("prefixItems", ())) for one in schemas), default=0)
    for place in range(first + 1):
        yield [part for one in schemas for part in _of_item(one, place)]


def _of_item(schema: dict[str, Any], place: int) -> Iterator[Json]:
    """The parts of a schema about an item; what is about those behind the first counts for these too."""
    yield from schema.get("prefixItems", ())[place : place + 1]
    for keyword in ("items", "contains"):
        if keyword in schema:
            yield schema[keyword]


def _mapping(schema: dict[str, Any], keyword: str) -> dict[str, Any]:
    found = schema.get(keyword)
    return found if isinstance(found, dict) else {}
