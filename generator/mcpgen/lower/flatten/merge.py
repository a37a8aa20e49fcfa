"""Merges two schemas keyword by keyword, exactly; a contradiction is reported."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

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


def intersection(first: Json, second: Json) -> Json:
    """Returns the schema of values that match both schemas; `allOf` delays the merge until a
    view is built."""
    for schema, other in ((first, second), (second, first)):
        if schema is False:
            return False
        if schema is True or schema == {} or schema == other:
            return other
    return {"allOf": [first, second]}


def merge_keyword(keyword: str, ours: Json, theirs: Json) -> Json:
    """Returns one value for both values of a keyword, None where no single value exists.

    `merge_keyword("minimum", 1, 5)` is 5; two patterns give None.
    """
    if keyword in _BOUNDS:
        return _BOUNDS[keyword](ours, theirs)
    if keyword in _FLAGS:
        return bool(ours or theirs)
    if keyword in _FIRST:
        return ours
    if keyword in ("items", "propertyNames"):
        return intersection(ours, theirs)
    combine = _COMBINED.get(keyword)
    return combine(ours, theirs) if combine else None


def _common_types(ours: Json, theirs: Json) -> Json:
    first, second = ([kinds] if isinstance(kinds, str) else list(kinds) for kinds in (ours, theirs))
    shared = [
        kind for kind in first if kind in second or (kind == "integer" and "number" in second)
    ]
    shared += [kind for kind in second if kind == "integer" and "number" in first]
    shared = list(dict.fromkeys(shared))
    return shared[0] if len(shared) == 1 else shared


def _common_values(ours: Json, theirs: Json) -> Json:
    allowed = {json_key(value) for value in theirs}
    return [value for value in ours if json_key(value) in allowed]


def union_names(ours: Json, theirs: Json) -> Json:
    """Returns the names of both lists without duplicates, `ours` first.

    Example: `union_names(["a", "b"], ["b", "c"])` gives `['a', 'b', 'c']`.
    """
    return list(dict.fromkeys([*ours, *theirs]))


def _dependent(ours: Json, theirs: Json) -> Json:
    return {
        key: union_names(ours.get(key, []), theirs.get(key, []))
        for key in union_names(ours, theirs)
    }


def _same_constant(ours: Json, theirs: Json) -> Json:
    return ours if json_key(ours) == json_key(theirs) else None


def _multiple(ours: Json, theirs: Json) -> Json:
    whole = all(isinstance(value, int) for value in (ours, theirs))
    return math.lcm(ours, theirs) if whole else None


_COMBINED: dict[str, Callable[[Json, Json], Json]] = {
    "type": _common_types,
    "enum": _common_values,
    "const": _same_constant,
    "required": union_names,
    "dependentRequired": _dependent,
    "multipleOf": _multiple,
}


def json_key(value: Json) -> str:
    """Returns canonical JSON: equal values give equal text. `1` and `1.0` are equal in JSON
    Schema."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return json.dumps(value, sort_keys=True)


_RANGES = (
    ("minimum", "maximum"),
    ("minLength", "maxLength"),
    ("minItems", "maxItems"),
    ("minProperties", "maxProperties"),
)
_OBJECT = ("properties", "additionalProperties", "patternProperties")


@dataclass(frozen=True, slots=True)
class MergedKeywords:
    """Merged keywords.

    `contradiction` says why no value matches, or is `""`. Keyword values that cannot be merged
    stand under `allOf`.
    """

    keywords: dict[str, Json]
    contradiction: str = ""


def merge_schemas(first: Mapping[str, Json], second: Mapping[str, Json]) -> MergedKeywords:
    """Rule "allOf": the schema of values that match `first` and `second`; annotations come from
    `first`."""
    if not second:
        return MergedKeywords(dict(first))
    if not first:
        return MergedKeywords(dict(second))
    merged = dict(first)
    unmerged: dict[str, Json] = {}
    reasons: list[str] = []
    for keyword, theirs in second.items():
        if keyword in _OBJECT:
            continue
        if keyword not in merged:
            merged[keyword] = theirs
        elif merged[keyword] != theirs or isinstance(theirs, bool):
            value = merge_keyword(keyword, merged[keyword], theirs)
            if value is None:
                unmerged[keyword] = theirs
            else:
                merged[keyword] = value
    _merge_objects(merged, first, second)
    _join_residue(merged, first, second, unmerged)
    reasons += _contradictions(merged)
    return MergedKeywords(merged, reasons[0] if reasons else "")


def _merge_objects(
    merged: dict[str, Json], first: Mapping[str, Json], second: Mapping[str, Json]
) -> None:
    """Puts the properties of both into `out`; a closed side closes the other's names too."""
    ours: Mapping[str, Json] = first.get("properties", {})
    theirs: Mapping[str, Json] = second.get("properties", {})
    if ours or theirs:
        merged["properties"] = {
            name: intersection(
                ours[name] if name in ours else first.get("additionalProperties", True),
                theirs[name] if name in theirs else second.get("additionalProperties", True),
            )
            for name in union_names(list(ours), list(theirs))
        }
    if "additionalProperties" in second:
        merged["additionalProperties"] = intersection(
            first.get("additionalProperties", True), second["additionalProperties"]
        )
    if "patternProperties" in second:
        patterns = first.get("patternProperties", {})
        merged["patternProperties"] = {
            pattern: intersection(
                patterns.get(pattern, True), second["patternProperties"].get(pattern, True)
            )
            for pattern in union_names(list(patterns), list(second["patternProperties"]))
        }


def _join_residue(
    merged: dict[str, Json],
    first: Mapping[str, Json],
    second: Mapping[str, Json],
    unmerged: dict[str, Json],
) -> None:
    """Moves unmergeable keywords to `allOf`."""
    if not unmerged and "allOf" not in second:
        return
    residue = [*first.get("allOf", ()), *second.get("allOf", ())]
    if unmerged:
        residue.append(unmerged)
    merged["allOf"] = residue


def _contradictions(schema: Mapping[str, Json]) -> list[str]:
    """Returns reasons, in words, why the keywords exclude every value."""
    reasons = []
    if schema.get("type") == []:
        reasons.append("the types exclude each other")
    if schema.get("enum") == []:
        reasons.append("the enumerations share no value")
    if any("const" in part for part in schema.get("allOf", ()) if isinstance(part, dict)):
        reasons.append("two constants differ")
    values = {json_key(value) for value in schema.get("enum", ())}
    if "const" in schema and values and json_key(schema["const"]) not in values:
        reasons.append("the constant is not in the enumeration")
    for low, high in _RANGES:
        if low in schema and high in schema and schema[low] > schema[high]:
            reasons.append(f"{low} {schema[low]} is above {high} {schema[high]}")
    return reasons
