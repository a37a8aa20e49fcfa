"""A value that fits a schema, and whether a value does."""

from __future__ import annotations

from collections.abc import Mapping

from mcpgen.sampling.generator import Generator
from mcpgen.sampling.validators import (
    Json,
    ReachableDefs,
    SchemaValidators,
    library_of,
    reference_only,
)

NOTHING: Mapping[str, Json] = {}

KEPT = 200
"""Samples of references kept for the next call: the operations of a collection, which stand together,
take and give the same."""


def sample(
    schema: Json, definitions: Mapping[str, Json] = NOTHING, *, optional: bool = True
) -> Json:
    """A value that fits a JSON Schema 2020-12; the same one at every call.

    References are `#/$defs/NAME`, into the schema's own `$defs` or into `definitions`, which are
    taken not to change between calls. Examples, defaults, constants and enums of the schema are
    preferred where they fit. With `optional` also the properties that may be left out are there,
    as deep as is useful. Where no fitting value is found, the value is the nearest that was.
    """
    library = library_of(schema, definitions)
    key = reference_only(schema), optional
    if not key[0]:
        return _sample(schema, library, optional=optional)
    if key not in library.samples:
        if len(library.samples) >= KEPT:
            library.samples.clear()
        library.samples[key] = _sample(schema, library, optional=optional)
    return _copy(library.samples[key])


def _sample(schema: Json, library: SchemaValidators, *, optional: bool) -> Json:
    library.begin()
    first = Generator(library, optional=optional)
    value = first.value(schema)
    if not first.doubtful or library.valid(value, schema):
        return value
    other = Generator(library, optional=not optional).value(schema)
    return other if library.valid(other, schema) else value


def _copy(value: Json) -> Json:
    """The same value, of which the caller may change what it likes."""
    if isinstance(value, dict):
        return {name: _copy(member) for name, member in value.items()}
    return [_copy(item) for item in value] if isinstance(value, list) else value


def valid(value: Json, schema: Json, definitions: Mapping[str, Json] = NOTHING) -> bool:
    """Whether the value fits the schema, formats included; False for a schema that is not one.

    Nothing is ever fetched: a reference that leads anywhere else makes the schema none.
    """
    return library_of(schema, definitions).valid(value, schema)


__all__ = ["ReachableDefs", "sample", "valid"]
