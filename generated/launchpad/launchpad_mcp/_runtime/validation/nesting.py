# Copied by mcpgen from mcpgen-runtime; changes belong in hooks.py or mcpgen.toml.
"""Nesting depth of values, and JSON parsing with a depth limit."""

from __future__ import annotations

import json
from collections.abc import Callable

from ..tool import Json

MAX_DEPTH = 200
"""Maximum nesting of JSON in a string, the same as for messages. Much deeper values would overflow
the validator's stack, which kills the process."""


def loads(text: str, **readers: Callable[[str], Json]) -> Json:
    """Parses JSON, with the keyword arguments of `json.loads`. Raises `ValueError` if invalid, and
    `RecursionError` if nested too deeply."""
    value = json.loads(text, **readers)  # type: ignore[arg-type]
    # A nested value has at least as many opening brackets, and counting brackets is cheap.
    if text.count("[") + text.count("{") > MAX_DEPTH and is_deeper(value, MAX_DEPTH):
        raise RecursionError
    return value


def is_deeper(value: Json, max_depth: int) -> bool:
    """True if lists and objects are nested more than `max_depth` levels deep."""
    level = [value] if isinstance(value, dict | list) else []
    for _ in range(max_depth):
        level = [
            inner
            for part in level
            for inner in (part.values() if isinstance(part, dict) else part)
            if isinstance(inner, dict | list)
        ]
        if not level:
            return False
    return True
