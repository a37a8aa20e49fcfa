"""Two schemas as one: what must hold for a value that meets both."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from mcpgen.ir.source import Json
from mcpgen.lower.flatten.merge_keywords import both, json_key, merge_keyword, union_names

_RANGES = (
    ("minimum", "maximum"),
    ("minLength", "maxLength"),
    ("minItems", "maxItems"),
    ("minProperties", "maxProperties"),
)
_OBJECT = ("properties", "additionalProperties", "patternProperties")


@dataclass(frozen=True, slots=True)
class MergedKeywords:
    """The keywords of both; `contradiction` says why no value meets them, or is `""`.

    What two values of a keyword cannot say together stands under `allOf`.
    """

    keywords: dict[str, Json]
    contradiction: str = ""


def merge_schemas(first: Mapping[str, Json], second: Mapping[str, Json]) -> MergedKeywords:
    """The schema of values that meet `first` and `second`; `first` wins for annotations."""
    if not second:
        return MergedKeywords(dict(first))
    if not first:
        return MergedKeywords(dict(second))
    out = dict(first)
    rest: dict[str, Json] = {}
    reasons: list[str] = []
    for keyword, theirs in second.items():
        if keyword in _OBJECT:
            continue
        if keyword not in out:
            out[keyword] = theirs
        elif out[keyword] != theirs or isinstance(theirs, bool):
            found = merge_keyword(keyword, out[keyword], theirs)
            if found is None:
                rest[keyword] = theirs
            else:
                out[keyword] = found
    _merge_objects(out, first, second)
    _join_residue(out, first, second, rest)
    reasons += _contradictions(out)
    return MergedKeywords(out, reasons[0] if reasons else "")


def _merge_objects(
    out: dict[str, Json], first: Mapping[str, Json], second: Mapping[str, Json]
) -> None:
    """Puts the properties of both into `out`; a closed side closes the other's names too."""
    ours: Mapping[str, Json] = first.get("properties", {})
    theirs: Mapping[str, Json] = second.get("properties", {})
    if ours or theirs:
        out["properties"] = {
            name: both(
                ours[name] if name in ours else first.get("additionalProperties", True),
                theirs[name] if name in theirs else second.get("additionalProperties", True),
            )
            for name in union_names(list(ours), list(theirs))
        }
    if "additionalProperties" in second:
        out["additionalProperties"] = both(
            first.get("additionalProperties", True), second["additionalProperties"]
        )
    if "patternProperties" in second:
        patterns = first.get("patternProperties", {})
        out["patternProperties"] = {
            pattern: both(
                patterns.get(pattern, True), second["patternProperties"].get(pattern, True)
            )
            for pattern in union_names(list(patterns), list(second["patternProperties"]))
        }


def _join_residue(
    out: dict[str, Json],
    first: Mapping[str, Json],
    second: Mapping[str, Json],
    rest: dict[str, Json],
) -> None:
    """Keeps what has no single value as further conditions under `allOf`."""
    if not rest and "allOf" not in second:
        return
    residue = [*first.get("allOf", ()), *second.get("allOf", ())]
    if rest:
        residue.append(rest)
    out["allOf"] = residue


def _contradictions(schema: Mapping[str, Json]) -> list[str]:
    """Why no value can meet the keywords, as far as they show it."""
    found = []
    if schema.get("type") == []:
        found.append("the types exclude each other")
    if schema.get("enum") == []:
        found.append("the enumerations share no value")
    if any("const" in part for part in schema.get("allOf", ()) if isinstance(part, dict)):
        found.append("two constants differ")
    values = {json_key(value) for value in schema.get("enum", ())}
    if "const" in schema and values and json_key(schema["const"]) not in values:
        found.append("the constant is not in the enumeration")
    for low, high in _RANGES:
        if low in schema and high in schema and schema[low] > schema[high]:
            found.append(f"{low} {schema[low]} is above {high} {schema[high]}")
    return found
