# Copied by mcpgen from mcpgen-runtime; changes belong in hooks.py or mcpgen.toml.
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

from ..extensions import Extensions
from ..tool import Json
from .engine import Engine
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
from .validate import ERROR_CHARACTERS, MOST_ERROR_CHARACTERS

MOST_LOOKS = 5_000
"""Maximum number of schema visits of the static analysis; beyond, the cost counts as unknown."""

Schemas = Sequence[dict[str, Any]]


def longest(whole: Json, most: int) -> int:
    """The longest chain of schemas that apply to the same value; 0 if more than `most` schemas may
    apply to a value, or if the number depends on the value."""
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
    """True if the schema has no `unevaluated…` keyword and all patterns, including patterns of
    names, are quick."""
    patterns = [schema.get("pattern"), *_keyword_schemas(schema, "patternProperties")]
    texts = (each for each in patterns if isinstance(each, str))
    return RULING.isdisjoint(schema) and all(map(is_quick, texts))


def _levels(together: list[Json], whole: Json, most: int) -> Iterator[list[Json]]:
    """Schemas and the schemas they apply to the same value, level by level; cut off beyond
    `most`."""
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
                *_keyword_schemas(one, "dependentSchemas").values(),
            )
        ]


def _of_members(schemas: Schemas) -> Iterator[list[Json]]:
    """The schemas that apply together to a member, for each known name and for all other names; and
    the schemas that apply to a name."""
    names = dict.fromkeys(name for one in schemas for name in _keyword_schemas(one, "properties"))
    for name in (*names, None):
        yield [part for one in schemas for part in _of_member(one, name)]
    yield [one["propertyNames"] for one in schemas if "propertyNames" in one] + [
        names_like(pattern)
        for one in schemas
        for pattern in _keyword_schemas(one, "patternProperties")
    ]


def _of_member(schema: dict[str, Any], name: str | None) -> Iterator[Json]:
    """The subschemas for a member of this name; every `patternProperties` schema counts, whether
    the pattern matches or not."""
    known = _keyword_schemas(schema, "properties")
    if name in known:
        yield known[name]
    elif "additionalProperties" in schema:
        yield schema["additionalProperties"]
    yield from _keyword_schemas(schema, "patternProperties").values()


def _of_items(schemas: Schemas) -> Iterator[list[Json]]:
    """The schemas that apply together to an item, for each known position and for all later
    positions."""
    first = max((len(one.get("prefixItems", ())) for one in schemas), default=0)
    for place in range(first + 1):
        yield [part for one in schemas for part in _of_item(one, place)]


def _of_item(schema: dict[str, Any], place: int) -> Iterator[Json]:
    """The subschemas for an item; `items` counts for the first positions too."""
    yield from schema.get("prefixItems", ())[place : place + 1]
    for keyword in ("items", "contains"):
        if keyword in schema:
            yield schema[keyword]


def _keyword_schemas(schema: dict[str, Any], keyword: str) -> dict[str, Any]:
    found = schema.get(keyword)
    return found if isinstance(found, dict) else {}


PLAIN = 200
"""Schemas, counted once per path, below which no run-time count is needed."""

MOST = 500_000
"""Maximum schema evaluations for a value including nested values."""

DEEPEST = 2_000
"""Maximum chain of nested schema evaluations; a validator uses stack for each level."""

Price = Callable[[CountedSchema], int]
"""The cost of one evaluation."""


class ValidationCost:
    """The validation cost of one schema with all definitions."""

    def __init__(self, schema: Json) -> None:
        self._schema = schema
        self._alikes = UniformCosts(schema)
        self.is_plain = self._asks_little()

    def can_be_judged(self, value: Json) -> bool:
        """True if a validator decides within bounds whether the value is valid."""
        if self.is_plain or self._is_even(value):
            return True
        return self._within(MOST, _judging, value, self._alikes)

    def can_be_explained(self, value: Json) -> bool:
        """True if a validator lists all errors of the value within bounds."""
        return self._within(MOST_ERROR_CHARACTERS, _telling, value, depends)

    def _is_even(self, value: Json) -> bool:
        """True if the schema needs a bounded number of evaluations per value, and the value is not
        nested too deeply."""
        most = DEEPEST // self._longest - 1 if self._longest else 0
        return most > 0 and not is_deeper(value, most)

    @cached_property
    def _longest(self) -> int:
        """The longest chain of schemas that apply to the same value, 0 if unbounded."""
        return longest(self._schema, PLAIN)

    def _asks_little(self) -> bool:
        """True if the schema with all references is small, all patterns are quick, and no keyword
        is `unevaluated…`. Data that looks like a schema is counted as well."""
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
        """True if the total cost stays within `budget`. Counts breadth-first; a schema reached by
        several paths is stored once with a multiplicity."""
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
    """The cost of deciding a schema, without nested schemas."""
    if not isinstance(asked.value, str) or not isinstance(asked.schema, dict):
        return 1
    pattern = asked.schema.get("pattern")
    return 1 + search(pattern, len(asked.value)) if isinstance(pattern, str) else 1


def _telling(asked: CountedSchema) -> int:
    """The characters copied for the errors of a schema, including missing members."""
    size = ERROR_CHARACTERS + len(json.dumps(asked.value)) + asked.way
    if not isinstance(asked.value, dict) or not isinstance(asked.schema, dict):
        return size
    required = asked.schema.get("required")
    missing = set(required if isinstance(required, list) else ()) - asked.value.keys()
    return size * (1 + len(missing))


class BoundedEngine(ValidationCost, Engine):
    """A compiled schema with its validation cost."""

    def __init__(self, schema: Json) -> None:
        Engine.__init__(self, schema)
        ValidationCost.__init__(self, schema)


def bounded_validation(installed: Extensions) -> None:
    """Installs the bounds of schemas with references, combinations or patterns."""
    installed.engine = BoundedEngine
