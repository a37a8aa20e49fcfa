"""Validators over shared definitions, with bounded cost."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, NoReturn
from urllib.parse import unquote

import jsonschema_rs

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
    return _subschema_pairs(schema, value)


def _subschema_pairs(schema: Mapping[str, Json], value: Json) -> Iterator[Pair]:
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
    cost = 0
    level: dict[tuple[int, int], tuple[Pair, int, int]] = {(0, 0): ((schema, value), 1, 0)}
    while level and cost <= MAX_COST:
        below: dict[tuple[int, int], tuple[Pair, int, int]] = {}
        for (part, asked_of), met, looked in level.values():
            times = met + looked
            cost += times
            # `unevaluated…` depends on the members that sibling schemas of the same value have
            # evaluated, so jsonschema-rs validates those schemas a second time.
            looked_on = looked + times if _wants_rest(part) else looked
            for pair in _next_pairs(part, asked_of, resolved):
                key = (id(pair[0]), id(pair[1]))
                _, met_before, looked_before = below.get(key, (pair, 0, 0))
                more = looked_on if pair[1] is asked_of else 0
                below[key] = (pair, met_before + times, looked_before + more)
        level = below
    return cost


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


PREFIX = "#/$defs/"
COMPILED = 100
"""Schema evaluations that take as long as compiling one schema."""

KEPT = 2_000
"""Compiled schemas kept for the next call."""


class SchemaValidators:
    """Definitions with their compiled validators.

    Names are those of `definitions` and of the schema's own `$defs`, which win. `evaluations`: schema
    evaluations plus compilations, cached ones included, so that no sample depends on earlier ones.
    `samples`: recent samples of plain references. `joined`: resolved schemas by reference.
    """

    def __init__(self, definitions: Mapping[str, Json]) -> None:
        self.evaluations = 0
        self._counted: dict[int, Json] = {}
        self.samples: dict[tuple[str, bool], Json] = {}
        self.joined: dict[str, Any] = {}
        self._definitions = definitions
        self._compiled: dict[int, tuple[Json, jsonschema_rs.Validator | None, int]] = {}
        self._uses: dict[str, frozenset[str]] = {}

    def begin(self) -> None:
        """Resets the counters for a new sample."""
        self._counted.clear()

    def resolved(self, reference: str) -> Json:
        """Returns the referenced schema; True for an unknown reference."""
        return self._definitions.get(definition_name(reference), True)

    def valid(self, value: Json, schema: Json) -> bool:
        """True if the value matches; False for an invalid schema and for a validation beyond
        `MAX_COST` evaluations."""
        validator = self._validator(schema)
        if validator is None:
            return False
        cost = validation_cost(value, schema, self.resolved)
        self.evaluations += cost
        return cost <= MAX_COST and validator.is_valid(value)

    def _validator(self, schema: Json) -> jsonschema_rs.Validator | None:
        """Returns the compiled schema, cached together with the schema object, so that its id
        stays unique."""
        cached = self._compiled.get(id(schema))
        if cached is None:
            if len(self._compiled) >= KEPT:
                self._compiled.clear()
            cached = self._compiled[id(schema)] = (schema, *self._compile(schema))
        if id(schema) not in self._counted:
            self._counted[id(schema)] = schema
            self.evaluations += cached[2]
        return cached[1]

    def _compile(self, schema: Json) -> tuple[jsonschema_rs.Validator | None, int]:
        """Returns the compiled schema, None if invalid, and the cost in `evaluations`."""
        if not isinstance(schema, dict):
            return compile_validator(schema), 0
        reached = self._reachable(schema)
        whole = {**schema, "$defs": reached} if reached else dict(schema)
        return compile_validator(whole), COMPILED * len(reached)

    def _reachable(self, schema: Json) -> dict[str, Json]:
        """Returns the definitions reachable from a schema, sorted by name."""
        names: set[str] = set()
        waiting = set(referenced_names(schema))
        while waiting:
            name = waiting.pop()
            if name in self._definitions:
                names.add(name)
                waiting |= self._references_of(name) - names
        return {name: self._definitions[name] for name in sorted(names)}

    def _references_of(self, name: str) -> frozenset[str]:
        """Returns the names referenced by a definition."""
        if name not in self._uses:
            self._uses[name] = frozenset(referenced_names(self._definitions[name]))
        return self._uses[name]


class _Identity:
    """Mapping compared by identity, usable as a cache key."""

    def __init__(self, definitions: Mapping[str, Json]) -> None:
        self.definitions = definitions

    def __hash__(self) -> int:
        return id(self.definitions)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Identity) and self.definitions is other.definitions


def validators_for(schema: Json, definitions: Mapping[str, Json]) -> SchemaValidators:
    """Returns the validators for a schema; shared by calls with identical definitions, which
    must not change."""
    own = schema.get("$defs") if isinstance(schema, dict) else None
    if isinstance(own, dict) and own:
        return SchemaValidators({**definitions, **own})
    return _shared_validators(_Identity(definitions))


@lru_cache(maxsize=4)
def _shared_validators(identity: _Identity) -> SchemaValidators:
    return SchemaValidators(identity.definitions)


def referenced_names(value: Json) -> Iterator[str]:
    """Yields the names of all references inside a value."""
    waiting = [value]
    while waiting:
        current = waiting.pop()
        if isinstance(current, dict):
            reference = current.get("$ref")
            if isinstance(reference, str):
                yield definition_name(reference)
            waiting.extend(current.values())
        elif isinstance(current, list):
            waiting.extend(current)


@lru_cache(maxsize=16_384)
def definition_name(reference: str) -> str:
    """Returns NAME of `#/$defs/NAME`, `""` for any other reference.

    Example: `definition_name("#/$defs/Pet")` gives `'Pet'`.
    """
    if not reference.startswith(PREFIX):
        return ""
    return unquote(reference[len(PREFIX) :]).replace("~1", "/").replace("~0", "~")


def reference_only(schema: Json) -> str:
    """Returns the reference of a plain `{"$ref": …}`, else `""`."""
    if isinstance(schema, dict) and len(schema) == 1:
        reference = schema.get("$ref")
        return reference if isinstance(reference, str) else ""
    return ""


def is_valid_value(value: Json, schema: Json) -> bool:
    """True if a value matches a schema without references; nothing is cached.

    Example: `is_valid_value(2, {"minimum": 3})` gives `False`.
    """
    validator = compile_validator(schema)
    return validator is not None and validator.is_valid(value)


def compile_validator(schema: Json) -> jsonschema_rs.Validator | None:
    """Returns a validator, None for an invalid schema."""
    try:
        return jsonschema_rs.Draft202012Validator(
            schema, validate_formats=True, retriever=_refuse_fetch
        )
    except (ValueError, jsonschema_rs.ValidationError, jsonschema_rs.ReferencingError):
        return None


def _refuse_fetch(uri: str) -> NoReturn:
    """Refuses to fetch external references."""
    raise ValueError(f"{uri} is not fetched")


class ReachableDefs:
    """Selects the definitions needed to validate one value.

    A validator compiles every reachable definition, nearly all of a large document; a value touches
    few. Definitions must not change.
    """

    def __init__(self, definitions: Mapping[str, Json]) -> None:
        self._definitions = definitions
        self._named: dict[str, frozenset[str]] = {}

    def by(self, value: Json, schema: Json) -> dict[str, Json] | None:
        """Returns the definitions that apply to `value`, sorted by name; every other referenced
        name is `true`.

        Properties absent from the value are removed. None if validation would exceed `MAX_COST`
        evaluations.
        """
        names: set[str] = set()

        def resolved(reference: str) -> Json:
            name = definition_name(reference)
            if name not in self._definitions:
                return True
            names.add(name)
            return self._definitions[name]

        if validation_cost(value, schema, resolved) > MAX_COST:
            return None
        named = names.union(referenced_names(schema), *map(self._references_of, names))
        members = frozenset(_member_names(value))
        return {
            name: (
                _drop_absent_properties(self._definitions[name], members) if name in names else True
            )
            for name in sorted(named)
            if name in self._definitions
        }

    def _references_of(self, name: str) -> frozenset[str]:
        """Returns the names referenced by a definition."""
        if name not in self._named:
            self._named[name] = frozenset(referenced_names(self._definitions[name]))
        return self._named[name]


def _member_names(value: Json) -> Iterator[str]:
    """The names of all members in a value."""
    waiting = [value]
    while waiting:
        part = waiting.pop()
        if isinstance(part, dict):
            yield from part
            waiting.extend(part.values())
        elif isinstance(part, list):
            waiting.extend(part)


def _drop_absent_properties(schema: Json, members: frozenset[str]) -> Json:
    """Returns a schema without properties that no object of the value has."""
    if not isinstance(schema, dict):
        return schema
    asking = dict(schema)
    if isinstance(named := schema.get("properties"), dict):
        asking["properties"] = {name: part for name, part in named.items() if name in members}
    if isinstance(parts := schema.get("allOf"), list):
        asking["allOf"] = [_drop_absent_properties(part, members) for part in parts]
    return asking
