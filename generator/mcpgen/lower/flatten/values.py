"""Enumerated values: their types, and which of them the rest of a schema allows."""

from __future__ import annotations

from collections.abc import Mapping

import jsonschema_rs

from mcpgen.ir.source import Json

BOUNDS = (
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "pattern",
)


def possible(keywords: Mapping[str, Json]) -> dict[str, Json] | None:
    """The keywords with only those enumerated values that type and bounds allow, None if they
    allow none of them."""
    kept = dict(keywords)
    for keyword in ("enum", "const"):
        if keyword not in keywords or keywords[keyword] is None:
            continue
        values = keywords["enum"] if keyword == "enum" else [keywords["const"]]
        valid = [value for value in values if _allows(keywords, value)]
        if not valid:
            return None
        if keyword == "enum" and len(valid) < len(values):
            kept["enum"] = valid
    return kept


def _allows(keywords: Mapping[str, Json], value: Json) -> bool:
    kinds = keywords.get("type")
    if kinds is not None:
        kind = json_type(value)
        known = [kinds] if isinstance(kinds, str) else kinds
        if kind not in known and not (kind == "integer" and "number" in known):
            return False
    bounds = {keyword: keywords[keyword] for keyword in BOUNDS if keyword in keywords}
    if not bounds or not isinstance(value, str | int | float):
        return True
    try:
        return jsonschema_rs.is_valid(bounds, value)
    except jsonschema_rs.ValidationError:
        # A pattern that does not compile is told where the schema is used, and excludes nothing.
        return True


def json_type(value: Json) -> str:
    """The JSON Schema type of a value; whole numbers are integers."""
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int) or (isinstance(value, float) and value.is_integer()):
        return "integer"
    if isinstance(value, float):
        return "number"
    if value is None:
        return "null"
    if isinstance(value, str):
        return "string"
    return "array" if isinstance(value, list) else "object"
