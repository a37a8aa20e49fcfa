"""A quick look whether a value can fit a schema at all, before anything is compiled."""

from __future__ import annotations

from collections.abc import Mapping

from mcpgen.sampling.validators import Json, SchemaValidators

TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "boolean": (bool,),
    "null": (type(None),),
}


def is_excluded(value: Json, schema: Json, library: SchemaValidators, depth: int = 0) -> bool:
    """Whether the value certainly does not fit; False says nothing."""
    if schema is False:
        return True
    if not isinstance(schema, dict) or depth > 5:
        return False
    if "$ref" in schema and is_excluded(
        value, library.resolved(schema["$ref"]), library, depth + 1
    ):
        return True
    types = schema.get("type")
    if types is not None and not is_of_type(value, types):
        return True
    if "const" in schema and not _same(schema["const"], value):
        return True
    if "enum" in schema and not any(_same(each, value) for each in schema["enum"]):
        return True
    if isinstance(value, dict):
        return _is_wrong_object(value, schema, library, depth)
    return False


def is_of_type(value: Json, types: Json) -> bool:
    """Whether a value has one of the types of a schema."""
    return any(_has_type(value, name) for name in ([types] if isinstance(types, str) else types))


def _has_type(value: Json, name: str) -> bool:
    if name in TYPES:
        return isinstance(value, TYPES[name])
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return name == "number" or value % 1 == 0


def _is_wrong_object(
    value: dict[str, Json], schema: Mapping[str, Json], library: SchemaValidators, depth: int
) -> bool:
    if any(name not in value for name in schema.get("required", ())):
        return True
    properties = schema.get("properties", {})
    closed = schema.get("additionalProperties") is False and "patternProperties" not in schema
    if closed and any(name not in properties for name in value):
        return True
    return any(
        is_excluded(value[name], properties[name], library, depth + 1)
        for name in value
        if name in properties
    )


def _same(left: Json, right: Json) -> bool:
    """Whether two values are equal as JSON, where true is not 1."""
    return left == right and isinstance(left, bool) == isinstance(right, bool)
