"""The schemas that references lead to, and what checks values against a schema."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, NoReturn
from urllib.parse import unquote

import jsonschema_rs

from mcpgen.sampling.validation_cost import MOST, effort

Json = Any
"""A JSON value."""

PREFIX = "#/$defs/"
COMPILED = 100
"""Schemas that values could be held against in the time that it takes to compile one."""

KEPT = 2_000
"""Compiled schemas kept for the next call."""


class SchemaValidators:
    """Named schemas, with what has been compiled against them.

    The names are those of `definitions` and of the schema's own `$defs`, which win. `asked` counts
    the schemas that values were held against or that were compiled for it, also those that an earlier
    sample had compiled: no sample depends on which came before. `samples` are those made last of
    schemas that are references and nothing else; `joined` are these schemas with everything that they refer
    to joined, by their references.
    """

    def __init__(self, definitions: Mapping[str, Json]) -> None:
        self.asked = 0
        self._counted: dict[int, Json] = {}
        self.samples: dict[tuple[str, bool], Json] = {}
        self.joined: dict[str, Any] = {}
        self._definitions = definitions
        self._compiled: dict[int, tuple[Json, jsonschema_rs.Validator | None, int]] = {}
        self._uses: dict[str, frozenset[str]] = {}

    def begin(self) -> None:
        """Begins another sample."""
        self._counted.clear()

    def resolved(self, reference: str) -> Json:
        """The schema that a reference names; True, which allows everything, for any other."""
        return self._definitions.get(definition_name(reference), True)

    def valid(self, value: Json, schema: Json) -> bool:
        """Whether the value is known to fit the schema; False for a schema that is none, and for
        one that leads to more than anybody can ask."""
        validator = self._validator(schema)
        if validator is None:
            return False
        asked = effort(value, schema, self.resolved)
        self.asked += asked
        return asked <= MOST and validator.is_valid(value)

    def _validator(self, schema: Json) -> jsonschema_rs.Validator | None:
        """The compiled schema; kept with the schema itself, so that its id stays its own."""
        kept = self._compiled.get(id(schema))
        if kept is None:
            if len(self._compiled) >= KEPT:
                self._compiled.clear()
            kept = self._compiled[id(schema)] = (schema, *self._compile(schema))
        if id(schema) not in self._counted:
            self._counted[id(schema)] = schema
            self.asked += kept[2]
        return kept[1]

    def _compile(self, schema: Json) -> tuple[jsonschema_rs.Validator | None, int]:
        """The compiled schema, None for one that is none, and what it counts in `asked`."""
        if not isinstance(schema, dict):
            return compile_validator(schema), 0
        reached = self._reached(schema)
        whole = {**schema, "$defs": reached} if reached else dict(schema)
        return compile_validator(whole), COMPILED * len(reached)

    def _reached(self, schema: Json) -> dict[str, Json]:
        """The named schemas that a schema reaches, in the order of their names."""
        found: set[str] = set()
        waiting = set(referenced_names(schema))
        while waiting:
            name = waiting.pop()
            if name in self._definitions:
                found.add(name)
                waiting |= self._used(name) - found
        return {name: self._definitions[name] for name in sorted(found)}

    def _used(self, name: str) -> frozenset[str]:
        """The names that the references of a named schema lead to."""
        if name not in self._uses:
            self._uses[name] = frozenset(referenced_names(self._definitions[name]))
        return self._uses[name]


class _Identity:
    """A mapping compared by identity, so that it can be the key of a cache."""

    def __init__(self, definitions: Mapping[str, Json]) -> None:
        self.definitions = definitions

    def __hash__(self) -> int:
        return id(self.definitions)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Identity) and self.definitions is other.definitions


def library_of(schema: Json, definitions: Mapping[str, Json]) -> SchemaValidators:
    """The library for a schema; shared by calls with the same definitions, which are taken not to
    change between them."""
    own = schema.get("$defs") if isinstance(schema, dict) else None
    if isinstance(own, dict) and own:
        return SchemaValidators({**definitions, **own})
    return _shared(_Identity(definitions))


@lru_cache(maxsize=4)
def _shared(identity: _Identity) -> SchemaValidators:
    return SchemaValidators(identity.definitions)


def referenced_names(value: Json) -> Iterator[str]:
    """The names that references anywhere in a value lead to."""
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
    """The name in `#/$defs/NAME`, or `""` for any other reference."""
    if not reference.startswith(PREFIX):
        return ""
    return unquote(reference[len(PREFIX) :]).replace("~1", "/").replace("~0", "~")


def reference_only(schema: Json) -> str:
    """The reference that a schema is if it is nothing else, or `""`."""
    if isinstance(schema, dict) and len(schema) == 1:
        found = schema.get("$ref")
        return found if isinstance(found, str) else ""
    return ""


def is_valid_value(value: Json, schema: Json) -> bool:
    """Whether a value fits a schema without references; nothing is kept of it."""
    validator = compile_validator(schema)
    return validator is not None and validator.is_valid(value)


def compile_validator(schema: Json) -> jsonschema_rs.Validator | None:
    """The validator of a schema, or None for one that is not valid itself."""
    try:
        return jsonschema_rs.Draft202012Validator(schema, validate_formats=True, retriever=_refuse)
    except (ValueError, jsonschema_rs.ValidationError, jsonschema_rs.ReferencingError):
        return None


def _refuse(uri: str) -> NoReturn:
    """Fetches nothing, whatever a schema asks for."""
    raise ValueError(f"{uri} is not fetched")


class ReachableDefs:
    """What finds them among definitions, which are taken not to change."""

    def __init__(self, definitions: Mapping[str, Json]) -> None:
        self._definitions = definitions
        self._named: dict[str, frozenset[str]] = {}

    def by(self, value: Json, schema: Json) -> dict[str, Json] | None:
        """The definitions that a schema needs to judge one value, in the order of their names: those
        that the value meets, as far as they ask anything of it, and in place of those that they lead
        to besides one that allows everything and is never asked. None where no validator could judge
        the value in bounded time."""
        found: set[str] = set()

        def resolved(reference: str) -> Json:
            name = definition_name(reference)
            if name not in self._definitions:
                return True
            found.add(name)
            return self._definitions[name]

        if effort(value, schema, resolved) > MOST:
            return None
        named = found.union(referenced_names(schema), *map(self._used, found))
        members = frozenset(_members(value))
        return {
            name: _asking(self._definitions[name], members) if name in found else True
            for name in sorted(named)
            if name in self._definitions
        }

    def _used(self, name: str) -> frozenset[str]:
        """The names that the references of a definition lead to."""
        if name not in self._named:
            self._named[name] = frozenset(referenced_names(self._definitions[name]))
        return self._named[name]


def _members(value: Json) -> Iterator[str]:
    """The names of all members in a value."""
    waiting = [value]
    while waiting:
        part = waiting.pop()
        if isinstance(part, dict):
            yield from part
            waiting.extend(part.values())
        elif isinstance(part, list):
            waiting.extend(part)


def _asking(schema: Json, members: frozenset[str]) -> Json:
    """A schema without the properties of which a value with these members has none."""
    if not isinstance(schema, dict):
        return schema
    asking = dict(schema)
    if isinstance(named := schema.get("properties"), dict):
        asking["properties"] = {name: part for name, part in named.items() if name in members}
    if isinstance(parts := schema.get("allOf"), list):
        asking["allOf"] = [_asking(part, members) for part in parts]
    return asking
