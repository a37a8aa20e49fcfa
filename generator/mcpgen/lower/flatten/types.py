"""Finds the JSON types that a schema allows."""

from __future__ import annotations

from mcpgen.lower.flatten.schema_view import SchemaView, SchemaViews, json_type

SCALARS = frozenset({"string", "integer", "number", "boolean"})

_TYPE_BY_KEYWORD = {
    "properties": "object",
    "required": "object",
    "additionalProperties": "object",
    "patternProperties": "object",
    "minProperties": "object",
    "maxProperties": "object",
    "items": "array",
    "prefixItems": "array",
    "minItems": "array",
    "maxItems": "array",
    "uniqueItems": "array",
    "pattern": "string",
    "minLength": "string",
    "maxLength": "string",
    "format": "string",
    "contentEncoding": "string",
    "contentMediaType": "string",
    "minimum": "number",
    "maximum": "number",
    "exclusiveMinimum": "number",
    "exclusiveMaximum": "number",
    "multipleOf": "number",
}
"""The type that a schema without `type` means by a keyword; the first keyword of the table counts."""

_TYPE_BY_FORMAT = {"int32": "integer", "int64": "integer", "float": "number", "double": "number"}
"""Formats of numbers; every other format counts as a text."""

_MAX_DEPTH = 8
"""Levels of unions inside unions that are searched, since a union may refer to itself."""


def schema_types(schemas: SchemaViews, view: SchemaView, depth: int = 0) -> frozenset[str]:
    """Returns the JSON types of a schema's values, without null beside other types; empty if any type
    is allowed or the types are unknown.

    Without `type`, the types follow from the values, the branches or the other keywords: `properties`
    means an object. `depth`: number of enclosing unions.
    """
    # Without the cache, unions inside unions would be searched once for every path to them.
    cached = schemas.types_by_view.get((id(view), depth))
    if cached is None or cached[0] is not view:
        cached = (view, _find_types(schemas, view, depth))
        schemas.types_by_view[id(view), depth] = cached
    return cached[1]


def _find_types(schemas: SchemaViews, view: SchemaView, depth: int) -> frozenset[str]:
    type_ = view.get("type")
    if type_ is not None:
        return frozenset([type_] if isinstance(type_, str) else type_)
    if "const" in view.keywords:
        return frozenset({json_type(view.get("const"))})
    if view.get("enum"):
        return frozenset(json_type(value) for value in view.get("enum"))
    branches = view.branches
    if branches and depth < _MAX_DEPTH:
        types = [schema_types(schemas, schemas.view(branch), depth + 1) for branch in branches]
        if all(types):
            return frozenset().union(*types)
    if view.get("format") in _TYPE_BY_FORMAT:
        return frozenset({_TYPE_BY_FORMAT[view.get("format")]})
    for keyword, keyword_type in _TYPE_BY_KEYWORD.items():
        if keyword in view.keywords:
            return frozenset({keyword_type})
    return frozenset()
