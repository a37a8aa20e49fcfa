"""Reads calls in prose: `search(query="x", limit=3)`, `{"code": "1+1"}`, `detail: "full"`."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Mapping

from mcpgen.ir.source import Json
from mcpgen.openspec.lower.extraction.type_words import SCALARS

NAME = r"[A-Za-z][A-Za-z0-9]*(?:[_.-][A-Za-z0-9]+)*"
TICKED = rf"`({NAME})`"
SNAKE = r"[a-z][a-z0-9]*(?:_[a-z0-9]+)+"
"""A name that cannot be an English word."""

SHALL = r"(?:SHALL|MUST|shall|must)"
SHALL_NOT = rf"(?:{SHALL} (?:NOT|not)|cannot)"
CONDITION = re.compile(r"\b(?:where|when|whenever|if|only|unless|some)\b")
"""Words that restrict the preceding demand to some cases."""

_TICKED_LIST = re.compile(rf"\s*(?:,\s*(?:and|or|plus)?|and|or|/)?\s*`({NAME})`")
_BARE_LIST = re.compile(r"[a-z][a-z0-9_]*(?:, [a-z][a-z0-9_]*)+,? and [a-z][a-z0-9_]*\b")
_NAME = re.compile(NAME)


def parse_name_list(text: str, start: int) -> tuple[tuple[str, ...], int]:
    """Returns the names of the list at `start` and the end of the list; empty without a list.

    A bare list has at least three names, and at least one with an underscore.
    """
    names = []
    end = start
    while match := _TICKED_LIST.match(text, end):
        names.append(match[1])
        end = match.end()
    if names:
        return tuple(names), end
    blank = len(text[start:]) - len(text[start:].lstrip())
    bare = _BARE_LIST.match(text, start + blank)
    if bare is None:
        return (), start
    items = tuple(name for name in _NAME.findall(bare[0]) if name != "and")
    return (items, bare.end()) if len(items) > 2 and re.search(SNAKE, bare[0]) else ((), start)


def names_in(text: str) -> tuple[str, ...]:
    """Returns the names in back-ticks; in text without back-ticks the names with an underscore."""
    ticked = re.findall(TICKED, text)
    if ticked or "`" in text:
        return tuple(dict.fromkeys(ticked))
    return tuple(dict.fromkeys(re.findall(rf"(?<![\w.\"']){SNAKE}(?![\w(.])", text)))


PAIR = r"`?[a-z_][a-z0-9_]*`?: ?`?(?:\"[^\"]*\"|-?\d+(?:\.\d+)?|true|false)`?"
"""A name with its value, as in `limit: 3`."""

PAIRS = rf"{PAIR}(?:(?:, (?:and )?| and ){PAIR})*"
_PAIR = re.compile(r"`?([a-z_][a-z0-9_]*)`?: ?`?(\"[^\"]*\"|-?\d+(?:\.\d+)?|true|false)`?")
_PAIRS = re.compile(PAIRS)
_BARE_KEY = re.compile(r"([{,]\s*)([A-Za-z_]\w*)\s*:")
_MAX_LENGTH = 500


def arguments_of(text: str) -> Mapping[str, Json] | None:
    """Parses the arguments of a call, or returns None for other text.

    Evaluates only literals.
    """
    stripped = text.strip()
    literal_text = stripped.strip("`").strip()
    if len(literal_text) > _MAX_LENGTH:
        return None
    if not literal_text:
        return {}
    if literal_text.startswith("{"):
        return _object_literal(literal_text)
    if _PAIRS.fullmatch(stripped) or _PAIRS.fullmatch(literal_text):
        return {name: json.loads(value) for name, value in _PAIR.findall(stripped)}
    return _keywords(literal_text)


def call_value_schema(value: Json) -> Mapping[str, Json]:
    """Returns the schema inferred from an argument's value in a call.

    Example: `call_value_schema(["a"])` gives `{'type': 'array', 'items': {'type': 'string'}}`.
    """
    if isinstance(value, bool):
        return {"type": "boolean"}
    if isinstance(value, list):
        inner = call_value_schema(value[0]) if value else {}
        scalar = inner.get("type") in SCALARS
        return {"type": "array", "items": dict(inner)} if scalar else {"type": "array"}
    names = {str: "string", int: "integer", float: "number", dict: "object"}
    return {"type": names[type(value)]} if type(value) in names else {}


def _object_literal(text: str) -> Mapping[str, Json] | None:
    for literal in (text, _BARE_KEY.sub(r'\1"\2":', text)):
        try:
            value = json.loads(literal)
        except (ValueError, RecursionError):
            continue
        return value if isinstance(value, dict) else None
    return None


def _keywords(text: str) -> Mapping[str, Json] | None:
    """Parses the keyword arguments of a Python call."""
    try:
        call = ast.parse(f"_({text})", mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    if not isinstance(call, ast.Call) or call.args:
        return None
    values = {}
    for keyword in call.keywords:
        try:
            value = ast.literal_eval(keyword.value)
            json.dumps(value, allow_nan=False)
        except (ValueError, TypeError, RecursionError):
            return None
        if keyword.arg is None:
            return None
        values[keyword.arg] = value
    return values
