"""Counts what validating a value costs, before the value is validated.

A validator evaluates every schema that applies to a value, once per path to the schema. Where schemas lead to the same
schema twice, level after level, the count doubles with each level of the value. jsonschema-rs has no limit for such work.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain
from typing import Any

from ..tool import Json
from .nesting import is_deeper
from .subschemas import (
    RULING,
    Alike,
    CountedSchema,
    UniformCosts,
    combine,
    depends,
    following,
    is_quick,
    names_like,
    of_the_value,
    resolve_reference,
    search,
)

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


PLAIN = 200
"""Schemas, each as often as a way leads to it, of which a value needs no count."""

MOST = 500_000
"""Schemas that may be asked about one value and what is in it."""

DEEPEST = 2_000
"""Schemas that may be asked inside one another; a validator takes some stack for each."""

MOST_TOLD = 20_000_000
"""Characters of values, and of the ways to them, that a validator may have to copy for what it tells:
both are copied for every schema that is not met."""

_TOLD = 500
"""How many characters what is told of one schema counts for at least."""


Price = Callable[[CountedSchema], int]
"""What it takes to ask once."""


class ValidationCost:
    """What one schema, which holds all that it refers to, asks of values."""

    def __init__(self, schema: Json) -> None:
        self._schema = schema
        self._alikes = UniformCosts(schema)
        self.is_plain = self._asks_little()

    def can_be_judged(self, value: Json) -> bool:
        """Whether a validator says within bounds if the value meets the schema."""
        if self.is_plain or self._is_even(value):
            return True
        return self._within(MOST, _judging, value, self._alikes)

    def can_be_explained(self, value: Json) -> bool:
        """Whether it says within bounds all that is wrong with the value."""
        return self._within(MOST_TOLD, _telling, value, depends)

    def _is_even(self, value: Json) -> bool:
        """Whether the schema asks little of each value in this one, and it is not too deep for that."""
        most = DEEPEST // self._longest - 1 if self._longest else 0
        return most > 0 and not is_deeper(value, most)

    @cached_property
    def _longest(self) -> int:
        """How many schemas stand inside one another that are asked about the same value, 0 if they may
        be too many."""
        return longest(self._schema, PLAIN)

    def _asks_little(self) -> bool:
        """Whether the schema is small, with all it leads to, all its patterns are quick, and none is
        asked once more by one above it. What only looks like a schema counts as well."""
        whole = self._schema
        used = isinstance(whole, dict) and {key: whole[key] for key in whole if key != "$defs"}
        count, waiting = 0, [used]
        while waiting:
            one = waiting.pop()
            if isinstance(one, list):
                waiting += one
                continue
            if not isinstance(one, dict):
                continue
            count += 1
            if count > PLAIN or not asks_once(one):
                return False
            waiting += one.values()
            if "$ref" in one:
                waiting.append(resolve_reference(whole, one["$ref"]))
        return True

    def _within(self, budget: int, price: Price, value: Json, alike: Alike) -> bool:
        """Whether asking everything stays within a budget; counted level by level, where what is met
        on several ways stands once."""
        arriving: Iterable[CountedSchema] = [CountedSchema(self._schema, value, 1, 0, 0)]
        for _ in range(DEEPEST):
            level: dict[tuple[int, int], CountedSchema] = {}
            for one in arriving:
                budget -= (one.ways + one.watched) * price(one)
                if budget < 0:
                    return False
                key = (id(one.schema), id(one.value))
                level[key] = combine(one, level[key]) if key in level else one
            if not level:
                return True
            arriving = chain.from_iterable(
                following(one, self._schema, alike) for one in level.values()
            )
        return False


def _judging(asked: CountedSchema) -> int:
    """What it takes to find out if a schema is met, without those inside it."""
    if not isinstance(asked.value, str) or not isinstance(asked.schema, dict):
        return 1
    pattern = asked.schema.get("pattern")
    return 1 + search(pattern, len(asked.value)) if isinstance(pattern, str) else 1


def _telling(asked: CountedSchema) -> int:
    """How much is copied to tell that a schema is not met, and which members it misses."""
    size = _TOLD + len(json.dumps(asked.value)) + asked.way
    if not isinstance(asked.value, dict) or not isinstance(asked.schema, dict):
        return size
    required = asked.schema.get("required")
    missing = set(required if isinstance(required, list) else ()) - asked.value.keys()
    return size * (1 + len(missing))
