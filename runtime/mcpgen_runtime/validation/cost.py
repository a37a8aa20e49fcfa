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
    UNEVALUATED,
    Alike,
    CountedSchema,
    UniformCosts,
    combine,
    expand_schema,
    in_place_subschemas,
    is_quick,
    names_like,
    no_uniform_cost,
    resolve_reference,
    search_cost,
)
from .validate import ERROR_CHARACTERS, MAX_ERROR_CHARACTERS

MAX_VISITS = 5_000
"""Maximum number of schema visits of the static analysis; beyond, the cost counts as unknown."""

Schemas = Sequence[dict[str, Any]]


def longest_chain(document: Json, limit: int) -> int:
    """The longest chain of schemas that apply to the same value; 0 if more than `limit` schemas may
    apply to a value, or if the number depends on the value."""
    visited: set[tuple[int, ...]] = set()
    pending: list[list[Json]] = [[document]]
    length, visits = 0, 0
    while pending:
        applied = pending.pop()
        key = tuple(sorted(map(id, applied)))
        if key in visited:
            continue
        visited.add(key)
        levels = list(_levels(applied, document, limit))
        schemas = [schema for level in levels for schema in level if isinstance(schema, dict)]
        if sum(map(len, levels)) > limit or not all(map(is_linear, schemas)):
            return 0
        for subschemas in chain(_member_levels(schemas), _item_levels(schemas)):
            visits += len(schemas)
            if visits > MAX_VISITS:
                return 0
            pending.append(subschemas)
        length = max(length, len(levels))
    return length


def is_linear(schema: dict[str, Any]) -> bool:
    """True if the schema has no `unevaluated…` keyword and all patterns, including patterns of
    names, are quick."""
    patterns = [schema.get("pattern"), *_keyword_schemas(schema, "patternProperties")]
    texts = (pattern for pattern in patterns if isinstance(pattern, str))
    return UNEVALUATED.isdisjoint(schema) and all(map(is_quick, texts))


def _levels(applied: list[Json], document: Json, limit: int) -> Iterator[list[Json]]:
    """Schemas and the schemas they apply to the same value, level by level; cut off beyond
    `limit`."""
    count, level = 0, applied
    while level and count <= limit:
        yield level
        count += len(level)
        schemas = [schema for schema in level if isinstance(schema, dict)]
        level = [
            inner
            for schema in schemas
            for inner in (
                *in_place_subschemas(schema, document),
                *_keyword_schemas(schema, "dependentSchemas").values(),
            )
        ]


def _member_levels(schemas: Schemas) -> Iterator[list[Json]]:
    """The schemas that apply together to a member, for each known name and for all other names; and
    the schemas that apply to a name."""
    names = dict.fromkeys(
        name for schema in schemas for name in _keyword_schemas(schema, "properties")
    )
    for name in (*names, None):
        yield [part for schema in schemas for part in _member_schemas(schema, name)]
    yield [schema["propertyNames"] for schema in schemas if "propertyNames" in schema] + [
        names_like(pattern)
        for schema in schemas
        for pattern in _keyword_schemas(schema, "patternProperties")
    ]


def _member_schemas(schema: dict[str, Any], name: str | None) -> Iterator[Json]:
    """The subschemas for a member of this name; every `patternProperties` schema counts, whether
    the pattern matches or not."""
    properties = _keyword_schemas(schema, "properties")
    if name in properties:
        yield properties[name]
    elif "additionalProperties" in schema:
        yield schema["additionalProperties"]
    yield from _keyword_schemas(schema, "patternProperties").values()


def _item_levels(schemas: Schemas) -> Iterator[list[Json]]:
    """The schemas that apply together to an item, for each known position and for all later
    positions."""
    first = max((len(schema.get("prefixItems", ())) for schema in schemas), default=0)
    for position in range(first + 1):
        yield [part for schema in schemas for part in _item_schemas(schema, position)]


def _item_schemas(schema: dict[str, Any], position: int) -> Iterator[Json]:
    """The subschemas for an item; `items` counts for the first positions too."""
    yield from schema.get("prefixItems", ())[position : position + 1]
    for keyword in ("items", "contains"):
        if keyword in schema:
            yield schema[keyword]


def _keyword_schemas(schema: dict[str, Any], keyword: str) -> dict[str, Any]:
    subschemas = schema.get(keyword)
    return subschemas if isinstance(subschemas, dict) else {}


MAX_PLAIN_SCHEMAS = 200
"""Schemas, counted once per path, below which no run-time count is needed."""

MAX_EVALUATIONS = 500_000
"""Maximum schema evaluations for a value including nested values."""

MAX_DEPTH = 2_000
"""Maximum chain of nested schema evaluations; a validator uses stack for each level."""

Price = Callable[[CountedSchema], int]
"""The cost of one evaluation."""


class ValidationCost:
    """The validation cost of one schema with all definitions."""

    def __init__(self, schema: Json) -> None:
        self._schema = schema
        self._alikes = UniformCosts(schema)
        self.is_plain = self._is_small()

    def can_be_judged(self, value: Json) -> bool:
        """True if a validator decides within bounds whether the value is valid."""
        if self.is_plain or self._is_bounded(value):
            return True
        return self._stays_within(MAX_EVALUATIONS, _decision_cost, value, self._alikes)

    def can_be_explained(self, value: Json) -> bool:
        """True if a validator lists all errors of the value within bounds."""
        return self._stays_within(MAX_ERROR_CHARACTERS, _explanation_cost, value, no_uniform_cost)

    def _is_bounded(self, value: Json) -> bool:
        """True if the schema needs a bounded number of evaluations per value, and the value is not
        nested too deeply."""
        max_depth = MAX_DEPTH // self._longest - 1 if self._longest else 0
        return max_depth > 0 and not is_deeper(value, max_depth)

    @cached_property
    def _longest(self) -> int:
        """The longest chain of schemas that apply to the same value, 0 if unbounded."""
        return longest_chain(self._schema, MAX_PLAIN_SCHEMAS)

    def _is_small(self) -> bool:
        """True if the schema with all references is small, all patterns are quick, and no keyword
        is `unevaluated…`. Data that looks like a schema is counted as well."""
        document = self._schema
        used = isinstance(document, dict) and {
            key: document[key] for key in document if key != "$defs"
        }
        count, pending = 0, [used]
        while pending:
            part = pending.pop()
            if isinstance(part, list):
                pending += part
                continue
            if not isinstance(part, dict):
                continue
            count += 1
            if count > MAX_PLAIN_SCHEMAS or not is_linear(part):
                return False
            pending += part.values()
            if "$ref" in part:
                pending.append(resolve_reference(document, part["$ref"]))
        return True

    def _stays_within(self, budget: int, price: Price, value: Json, uniform_cost: Alike) -> bool:
        """True if the total cost stays within `budget`. Counts breadth-first; a schema reached by
        several paths is stored once with a multiplicity."""
        next_level: Iterable[CountedSchema] = [CountedSchema(self._schema, value, 1, 0, 0)]
        for _ in range(MAX_DEPTH):
            level: dict[tuple[int, int], CountedSchema] = {}
            for counted in next_level:
                budget -= (counted.times + counted.adjacent) * price(counted)
                if budget < 0:
                    return False
                key = (id(counted.schema), id(counted.value))
                level[key] = combine(counted, level[key]) if key in level else counted
            if not level:
                return True
            next_level = chain.from_iterable(
                expand_schema(counted, self._schema, uniform_cost) for counted in level.values()
            )
        return False


def _decision_cost(counted: CountedSchema) -> int:
    """The cost of deciding a schema, without nested schemas."""
    if not isinstance(counted.value, str) or not isinstance(counted.schema, dict):
        return 1
    pattern = counted.schema.get("pattern")
    return 1 + search_cost(pattern, len(counted.value)) if isinstance(pattern, str) else 1


def _explanation_cost(counted: CountedSchema) -> int:
    """The characters copied for the errors of a schema, including missing members."""
    size = ERROR_CHARACTERS + len(json.dumps(counted.value)) + counted.path_length
    if not isinstance(counted.value, dict) or not isinstance(counted.schema, dict):
        return size
    required = counted.schema.get("required")
    missing = set(required if isinstance(required, list) else ()) - counted.value.keys()
    return size * (1 + len(missing))


class BoundedEngine(ValidationCost, Engine):
    """A compiled schema with its validation cost."""

    def __init__(self, schema: Json) -> None:
        Engine.__init__(self, schema)
        ValidationCost.__init__(self, schema)


def bounded_validation(installed: Extensions) -> None:
    """Installs the bounds of schemas with references, combinations or patterns."""
    installed.engine = BoundedEngine
