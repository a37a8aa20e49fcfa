"""What it takes to hold a value against a schema, counted before it is done.

A validator asks every schema that a value meets, on every way that leads to it. Where schemas lead to
the same ones twice, level after level, that doubles with each level of the value.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from functools import cached_property
from itertools import chain

from ..tool import Json
from .nesting import is_deeper
from .regex_cost import search
from .static_cost import asks_once, longest
from .subschemas import (
    Alike,
    CountedSchema,
    UniformCosts,
    combine,
    depends,
    following,
    resolve_reference,
)

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


class TooExpensive(Exception):
    """A value that a validator needs too long for."""


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

    def can_be_told(self, value: Json) -> bool:
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
