"""Sample values of JSON Schemas, and validation of values."""

from __future__ import annotations

from collections.abc import Mapping

from mcpgen.sampling.generator import SampleGenerator
from mcpgen.sampling.validators import (
    Json,
    ReachableDefs,
    SchemaValidators,
    reference_only,
    validators_for,
)

NOTHING: Mapping[str, Json] = {}

KEPT = 200
"""Cached samples of references: neighboring operations of a collection share schemas."""


def sample(
    schema: Json, definitions: Mapping[str, Json] = NOTHING, *, optional: bool = True
) -> Json:
    """Returns a value that matches a JSON Schema 2020-12, deterministically.

    `sample({"type": "integer", "minimum": 5})` gives 5. References `#/$defs/NAME` resolve in the
    schema's own `$defs`, else in `definitions`, which must not change between calls. Matching
    examples, defaults, constants and enums are preferred. `optional`: include optional properties
    to a useful depth. Without a matching value the nearest value found is returned.

    Example: `sample({"type": "integer", "minimum": 3}, {})` gives `3`.
    """
    library = validators_for(schema, definitions)
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
    first = SampleGenerator(library, optional=optional)
    value = first.value(schema)
    if not first.needs_validation or library.valid(value, schema):
        return value
    other = SampleGenerator(library, optional=not optional).value(schema)
    return other if library.valid(other, schema) else value


def _copy(value: Json) -> Json:
    """Returns a deep copy."""
    if isinstance(value, dict):
        return {name: _copy(member) for name, member in value.items()}
    return [_copy(item) for item in value] if isinstance(value, list) else value


def valid(value: Json, schema: Json, definitions: Mapping[str, Json] = NOTHING) -> bool:
    """True if the value matches the schema, formats included; False for an invalid schema.

    Nothing is fetched: a schema with external references is invalid.
    """
    return validators_for(schema, definitions).valid(value, schema)


__all__ = ["ReachableDefs", "sample", "valid"]
