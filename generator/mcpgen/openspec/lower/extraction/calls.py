"""Reads calls in prose: `search(query="x", limit=3)`, `{"code": "1+1"}`, `detail: "full"`."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Mapping

from mcpgen.ir.source import Json

PAIR = r"`?[a-z_][a-z0-9_]*`?: ?`?(?:\"[^\"]*\"|-?\d+(?:\.\d+)?|true|false)`?"
"""A name with its value, as in `limit: 3`."""

PAIRS = rf"{PAIR}(?:(?:, (?:and )?| and ){PAIR})*"
_PAIR = re.compile(r"`?([a-z_][a-z0-9_]*)`?: ?`?(\"[^\"]*\"|-?\d+(?:\.\d+)?|true|false)`?")
_PAIRS = re.compile(PAIRS)
_BARE_KEY = re.compile(r"([{,]\s*)([A-Za-z_]\w*)\s*:")
_LONGEST = 500


def arguments_of(text: str) -> Mapping[str, Json] | None:
    """Parses the arguments of a call, or returns None for other text.

    Evaluates only literals.
    """
    whole = text.strip()
    said = whole.strip("`").strip()
    if len(said) > _LONGEST:
        return None
    if not said:
        return {}
    if said.startswith("{"):
        return _object(said)
    if _PAIRS.fullmatch(whole) or _PAIRS.fullmatch(said):
        return {name: json.loads(value) for name, value in _PAIR.findall(whole)}
    return _keywords(said)


def call_value_schema(value: Json) -> Mapping[str, Json]:
    """Returns the schema inferred from an argument's value in a call."""
    if isinstance(value, bool):
        return {"type": "boolean"}
    if isinstance(value, list):
        inner = call_value_schema(value[0]) if value else {}
        scalar = inner.get("type") in ("string", "integer", "number", "boolean")
        return {"type": "array", "items": dict(inner)} if scalar else {"type": "array"}
    names = {str: "string", int: "integer", float: "number", dict: "object"}
    return {"type": names[type(value)]} if type(value) in names else {}


def _object(text: str) -> Mapping[str, Json] | None:
    for written in (text, _BARE_KEY.sub(r'\1"\2":', text)):
        try:
            found = json.loads(written)
        except (ValueError, RecursionError):
            continue
        return found if isinstance(found, dict) else None
    return None


def _keywords(text: str) -> Mapping[str, Json] | None:
    """Parses the keyword arguments of a Python call."""
    try:
        call = ast.parse(f"_({text})", mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    if not isinstance(call, ast.Call) or call.args:
        return None
    found = {}
    for keyword in call.keywords:
        try:
            value = ast.literal_eval(keyword.value)
            json.dumps(value, allow_nan=False)
        except (ValueError, TypeError, RecursionError):
            return None
        if keyword.arg is None:
            return None
        found[keyword.arg] = value
    return found
