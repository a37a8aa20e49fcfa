"""One value for two values of a keyword."""

from __future__ import annotations

import json
import math
from collections.abc import Callable

from mcpgen.ir.source import Json

_BOUNDS: dict[str, Callable[[float, float], float]] = {
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
_FLAGS = {"uniqueItems", "readOnly", "writeOnly", "deprecated"}
_FIRST = {
    "title",
    "description",
    "default",
    "examples",
    "format",
    "discriminator",
    "xml",
    "x-mcp-name",
    "contentEncoding",
    "contentMediaType",
}


def both(first: Json, second: Json) -> Json:
    """The schema of values that meet two schemas, merged only when somebody looks."""
    for one, other in ((first, second), (second, first)):
        if one is False:
            return False
        if one is True or one == {} or one == other:
            return other
    return {"allOf": [first, second]}


def merge_keyword(keyword: str, ours: Json, theirs: Json) -> Json:
    """One value for two values of a keyword, or None where no single value says both."""
    if keyword in _BOUNDS:
        return _BOUNDS[keyword](ours, theirs)
    if keyword in _FLAGS:
        return bool(ours or theirs)
    if keyword in _FIRST:
        return ours
    if keyword in ("items", "propertyNames"):
        return both(ours, theirs)
    combine = _COMBINED.get(keyword)
    return combine(ours, theirs) if combine else None


def _types(ours: Json, theirs: Json) -> Json:
    first, second = ([kinds] if isinstance(kinds, str) else list(kinds) for kinds in (ours, theirs))
    shared = [
        kind for kind in first if kind in second or (kind == "integer" and "number" in second)
    ]
    shared += [kind for kind in second if kind == "integer" and "number" in first]
    shared = list(dict.fromkeys(shared))
    return shared[0] if len(shared) == 1 else shared


def _values(ours: Json, theirs: Json) -> Json:
    kept = {json_key(value) for value in theirs}
    return [value for value in ours if json_key(value) in kept]


def union_names(ours: Json, theirs: Json) -> Json:
    """The names of both, ours first, each once."""
    return list(dict.fromkeys([*ours, *theirs]))


def _dependent(ours: Json, theirs: Json) -> Json:
    return {
        key: union_names(ours.get(key, []), theirs.get(key, []))
        for key in union_names(ours, theirs)
    }


def _multiple(ours: Json, theirs: Json) -> Json:
    whole = all(isinstance(value, int) for value in (ours, theirs))
    return math.lcm(ours, theirs) if whole else None


_COMBINED: dict[str, Callable[[Json, Json], Json]] = {
    "type": _types,
    "enum": _values,
    "required": union_names,
    "dependentRequired": _dependent,
    "multipleOf": _multiple,
}


def json_key(value: Json) -> str:
    """A text that two JSON values share if and only if they are equal."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return json.dumps(value, sort_keys=True)
