"""Recursive schemas, and values of any depth."""

from __future__ import annotations

from typing import Any


def schema_with_member(schema: Any, **keywords: Any) -> Any:
    """Returns an object schema whose member `a` has the given schema."""
    return {"type": "object", "properties": {"a": schema}, **keywords}


def nested(times: int, innermost: Any) -> Any:
    """Returns nested objects, every level in the member `a`."""
    return nested(times - 1, {"a": innermost}) if times else innermost


REF = {"$ref": "#/$defs/N"}


def closed(schema: Any) -> Any:
    """Returns a schema that refers to itself as `N`."""
    return {**REF, "$defs": {"N": schema}}


BELOW = {"properties": {"a": REF}}
TANGLED: dict[str, Any] = {
    "anyOf": {
        "anyOf": [
            schema_with_member(REF, required=["a"]),
            schema_with_member(REF, minProperties=1),
            {"type": "null"},
        ]
    },
    "oneOf": {"oneOf": [schema_with_member(REF), schema_with_member(REF), {"type": "null"}]},
    "allOf": {"type": ["object", "null"], "allOf": [BELOW, BELOW]},
    "if": {"type": ["object", "null"], "if": BELOW, "then": BELOW, "else": False},
    "unevaluated": {
        "type": ["object", "null"],
        "anyOf": [schema_with_member(REF), {"required": ["b"]}],
        "unevaluatedProperties": False,
    },
    "patterns": {
        "type": ["object", "null"],
        "patternProperties": {"a": REF, "^a": REF},
    },
}
TREE = closed(
    {
        "type": "object",
        "properties": {"a": {"type": "string"}, "b": {"type": "array", "items": REF}},
        "additionalProperties": False,
    }
)
