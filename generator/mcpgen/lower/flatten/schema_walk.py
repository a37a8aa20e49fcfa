"""Keywords of JSON Schema 2020-12 whose values are schemas; under any other keyword is data."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from mcpgen.ir.source import Json

MAPS = frozenset({"properties", "patternProperties", "dependentSchemas"})
LISTS = frozenset({"allOf", "anyOf", "oneOf", "prefixItems"})
SCHEMAS = frozenset(
    {
        "items",
        "additionalProperties",
        "unevaluatedProperties",
        "unevaluatedItems",
        "propertyNames",
        "contains",
        "not",
        "if",
        "then",
        "else",
    }
)
SAME_VALUE = frozenset({"allOf", "anyOf", "oneOf", "then", "else"})
"""Keywords whose schemas apply to the value itself."""
CONDITIONS = frozenset({"if", "not", "dependentSchemas"})
"""Keywords whose schemas look at the value itself without having to match."""


def subschemas(schema: Json) -> Iterator[Json]:
    """Yields the direct subschemas of a schema."""
    if not isinstance(schema, dict):
        return
    for keyword, value in schema.items():
        if keyword in MAPS and isinstance(value, dict):
            yield from value.values()
        elif keyword in LISTS and isinstance(value, list):
            yield from value
        elif keyword in SCHEMAS:
            yield value


def map_subschemas(schema: dict[str, Json], change: Callable[[Json, str], Json]) -> dict[str, Json]:
    """Returns the schema with `change(subschema, keyword)` in place of each direct subschema."""
    changed: dict[str, Json] = {}
    for keyword, value in schema.items():
        if keyword in MAPS and isinstance(value, dict):
            changed[keyword] = {key: change(part, keyword) for key, part in value.items()}
        elif keyword in LISTS and isinstance(value, list):
            changed[keyword] = [change(part, keyword) for part in value]
        else:
            changed[keyword] = change(value, keyword) if keyword in SCHEMAS else value
    return changed
