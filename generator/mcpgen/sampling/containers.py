"""Samples of objects and arrays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Protocol

from mcpgen.sampling.resolved_schema import applied_schemas
from mcpgen.sampling.scalars import sample_string
from mcpgen.sampling.validators import Json, is_valid_value

EXTRA = 100
"""Most properties invented for `minProperties`."""


class ValueMaker(Protocol):
    """Samples the values inside a container."""

    def value(
        self, schema: Json, depth: int = 0, inside: frozenset[str] = ..., nth: int = 0
    ) -> Json: ...

    def includes_optional(self, depth: int) -> bool: ...


def sample_object(
    maker: ValueMaker, schema: Mapping[str, Json], depth: int, inside: frozenset[str], nth: int
) -> dict[str, Json]:
    """Returns an object: values by property name, in the schema's order."""
    names = _sampled_names(maker, schema, depth, inside)
    min_count = _count(schema.get("minProperties"), 0, EXTRA)
    if not names and not _keyword_mapping(schema, "properties") and maker.includes_optional(depth):
        wants_entry = isinstance(schema.get("additionalProperties"), dict)
        recurs = not inside.isdisjoint(applied_schemas(schema.get("additionalProperties")))
        min_count = max(min_count, int(wants_entry and not recurs))
    if len(names) < min_count:
        for name in islice(_more(schema, names), min_count - len(names)):
            names.append(name)
    return {name: maker.value(_schema_of(name, schema), depth + 1, inside, nth) for name in names}


def _sampled_names(
    maker: ValueMaker, schema: Mapping[str, Json], depth: int, inside: frozenset[str]
) -> list[str]:
    """Returns the required names and the chosen optional names."""
    properties = _keyword_mapping(schema, "properties")
    required = dict.fromkeys(name for name in schema.get("required") or () if isinstance(name, str))
    declared = len(properties) + len(required)
    max_count = _count(schema.get("maxProperties"), declared, EXTRA + declared)
    optional = max_count - len(required)
    picked: dict[str, None] = {}
    for name, value in properties.items():
        if name in required:
            picked[name] = None
        elif optional > 0 and maker.includes_optional(depth) and _is_open(value, inside):
            picked[name] = None
            optional -= 1
    names = list(picked | required)
    dependents = _keyword_mapping(schema, "dependentRequired")
    for name in names if dependents else ():
        names.extend(
            dependent for dependent in dependents.get(name) or () if dependent not in names
        )
    return names


def _is_open(schema: Json, inside: frozenset[str]) -> bool:
    """True if a property has a value without the surrounding schema inside."""
    return schema is not False and inside.isdisjoint(applied_schemas(schema))


def _more(schema: Mapping[str, Json], names: list[str]) -> Iterator[str]:
    """Yields further allowed names: the schema's own, then invented ones."""
    properties = _keyword_mapping(schema, "properties")
    taken = set(names)
    yield from [name for name in properties if name not in taken and properties[name] is not False]
    patterns = _keyword_mapping(schema, "patternProperties")
    for pattern in patterns:
        name = sample_string({"pattern": pattern})
        if name not in names:
            yield name
    if schema.get("additionalProperties") is False:
        return
    rules = schema.get("propertyNames")
    for nth in range(EXTRA):
        name = (
            sample_string(rules, nth) if isinstance(rules, dict) else f"key{nth + 1 if nth else ''}"
        )
        if name not in names and name not in properties:
            yield name


def _schema_of(name: str, schema: Mapping[str, Json]) -> Json:
    """Returns the schema of one property: its own and matching patterns', or of additional
    properties."""
    patterns = _keyword_mapping(schema, "patternProperties")
    schemas = [
        value for pattern, value in patterns.items() if is_valid_value(name, {"pattern": pattern})
    ]
    properties = _keyword_mapping(schema, "properties")
    if name in properties:
        schemas.insert(0, properties[name])
    if not schemas:
        return schema.get("additionalProperties", True)
    return schemas[0] if len(schemas) == 1 else {"allOf": schemas}


def _keyword_mapping(schema: Mapping[str, Json], keyword: str) -> Mapping[str, Json]:
    value = schema.get(keyword)
    return value if isinstance(value, dict) else {}


def _count(value: Json, default: int, maximum: int) -> int:
    """Returns a count keyword such as `minItems`, at most `maximum`; `default` if absent."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return max(0, min(int(value), maximum))
    return default


MAX_ITEMS = 1_000
"""Most sampled items, whatever `minItems` says."""

MAX_ATTEMPTS = 20
"""Attempts to find a value for `uniqueItems`."""


def sample_array(
    maker: ValueMaker, schema: Mapping[str, Json], depth: int, inside: frozenset[str], nth: int
) -> list[Json]:
    """Returns an array that matches the schema; with one item where `[]` would match too, as an
    illustration."""
    length = _length(maker, schema, depth, inside)
    distinct = schema.get("uniqueItems") is True
    items: list[Json] = []
    for index, item in enumerate(_item_schemas(schema, length)):
        value = maker.value(item, depth + 1, inside, nth + (index if distinct else 0))
        if distinct:
            for other in range(MAX_ATTEMPTS):
                if value not in items:
                    break
                value = maker.value(item, depth + 1, inside, nth + index + other + 1)
        items.append(value)
    return items


def _length(
    maker: ValueMaker, schema: Mapping[str, Json], depth: int, inside: frozenset[str]
) -> int:
    min_count = _count(schema.get("minItems"), 0, MAX_ITEMS)
    if "contains" in schema:
        min_count = max(min_count, _count(schema.get("minContains"), 1, MAX_ITEMS))
    max_count = _count(schema.get("maxItems"), MAX_ITEMS, MAX_ITEMS)
    first = schema.get("prefixItems") or ()
    items_schema = schema.get("items", True)
    if items_schema is False:
        max_count = min(max_count, len(first))
    useful = max(1, len(first)) if inside.isdisjoint(applied_schemas(items_schema)) else 0
    return max(min_count, min(useful, max_count))


def _item_schemas(schema: Mapping[str, Json], length: int) -> list[Json]:
    """Returns the schemas of the items: prefix, contained, rest."""
    first = list(schema.get("prefixItems") or ())
    items_schema = schema.get("items", True)
    if "contains" in schema:
        contained = (
            schema["contains"]
            if items_schema is True
            else {"allOf": [items_schema, schema["contains"]]}
        )
        first += [contained] * _count(schema.get("minContains"), 1, MAX_ITEMS)
    return (first + [items_schema] * max(0, length - len(first)))[:length]
