"""JSON types allowed by a schema."""

from __future__ import annotations

from mcpgen.lower.flatten.schema_view import SchemaView, SchemaViews, json_type

SCALARS = frozenset({"string", "integer", "number", "boolean"})

_TOLD_BY = {
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
_NUMBER_FORMATS = {"int32": "integer", "int64": "integer", "float": "number", "double": "number"}
_MAX_DEPTH = 8


def schema_types(schemas: SchemaViews, view: SchemaView, depth: int = 0) -> frozenset[str]:
    """Returns the JSON types of a schema's values without null; empty for any type.

    Without `type`, the types follow from the keywords: `properties` means an object.
    """
    # Nested unions ask for the same types exponentially often.
    cached = schemas.kinds.get((id(view), depth))
    if cached is None or cached[0] is not view:
        cached = (view, _reachable_types(schemas, view, depth))
        schemas.kinds[id(view), depth] = cached
    return cached[1]


def _reachable_types(schemas: SchemaViews, view: SchemaView, depth: int) -> frozenset[str]:
    written = view.get("type")
    if written is not None:
        return frozenset([written] if isinstance(written, str) else written)
    if "const" in view.keywords:
        return frozenset({json_type(view.get("const"))})
    if view.get("enum"):
        return frozenset(json_type(value) for value in view.get("enum"))
    branches = view.branches
    if branches and depth < _MAX_DEPTH:
        kinds = [schema_types(schemas, schemas.view(branch), depth + 1) for branch in branches]
        if all(kinds):
            return frozenset().union(*kinds)
    if view.get("format") in _NUMBER_FORMATS:
        return frozenset({_NUMBER_FORMATS[view.get("format")]})
    for keyword, kind in _TOLD_BY.items():
        if keyword in view.keywords:
            return frozenset({kind})
    return frozenset()
