"""Two schemas as one that allows what both allow, as far as one flat schema can say it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from mcpgen.sampling.validators import Json

Combine = Callable[[Json, Json], Json]


def intersect(left: Mapping[str, Json], right: Mapping[str, Json]) -> dict[str, Json]:
    """The conjunction of two schemas."""
    whole = dict(left)
    for key, value in right.items():
        if key not in whole or whole[key] == value:
            whole[key] = value
        elif key in COMBINED:
            whole[key] = COMBINED[key](whole[key], value)
        elif key in ONCE:
            whole.setdefault("allOf", [])
            whole["allOf"] = [*whole["allOf"], {key: value}]
    return whole


def _both(left: Json, right: Json) -> Json:
    return {"allOf": [left, right]}


def _properties(left: Json, right: Json) -> Json:
    shared = {name: _both(left[name], right[name]) for name in left if name in right}
    return {**left, **right, **shared}


def _union(left: Json, right: Json) -> Json:
    return list(dict.fromkeys([*left, *right]))


def _common(left: Json, right: Json) -> Json:
    return [value for value in left if value in right] or left


def _types(left: Json, right: Json) -> Json:
    left = [left] if isinstance(left, str) else left
    right = [right] if isinstance(right, str) else right
    kept = [
        name
        for name in ("null", "boolean", "object", "array", "number", "string", "integer")
        if (name in left or (name == "integer" and "number" in left))
        and (name in right or (name == "integer" and "number" in right))
    ]
    order = [name for name in (*left, *right) if name in kept] or left
    return list(dict.fromkeys(order))


def _dependents(left: Json, right: Json) -> Json:
    return {key: _union(left.get(key, []), right.get(key, [])) for key in {**left, **right}}


COMBINED: dict[str, Combine] = {
    "type": _types,
    "properties": _properties,
    "patternProperties": _properties,
    "dependentSchemas": _properties,
    "dependentRequired": _dependents,
    "$defs": lambda left, right: {**left, **right},
    "required": _union,
    "enum": _common,
    "allOf": lambda left, right: [*left, *right],
    "items": _both,
    "additionalProperties": _both,
    "propertyNames": _both,
    "minimum": max,
    "exclusiveMinimum": max,
    "minLength": max,
    "minItems": max,
    "minProperties": max,
    "maximum": min,
    "exclusiveMaximum": min,
    "maxLength": min,
    "maxItems": min,
    "maxProperties": min,
}
"""How the values of a keyword that stands in both are joined; of others the left one is kept."""

ONCE = frozenset({"anyOf", "oneOf"})
"""Keywords that cannot be joined; the second one goes into `allOf`, to be taken up in its turn."""
