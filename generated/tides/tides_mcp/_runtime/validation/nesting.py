# Copied by mcpgen from mcpgen-runtime; changes belong in hooks.py or mcpgen.toml.
"""Nesting depth of values, and JSON parsing with a depth limit."""

from __future__ import annotations

import json
from collections.abc import Callable

from ..tool import Json

DEEPEST = 200
"""Maximum nesting of JSON in a string, the same as for messages. Much deeper values would overflow
the validator's stack, which kills the process."""


def loads(text: str, **readers: Callable[[str], Json]) -> Json:
    """Parses JSON, with the keyword arguments of `json.loads`. Raises `ValueError` if invalid, and
    `RecursionError` if nested too deeply."""
    value = json.loads(text, **readers)  # type: ignore[arg-type]
    # A nested value has at least as many opening brackets, and counting brackets is cheap.
    if text.count("[") + text.count("{") > DEEPEST and is_deeper(value, DEEPEST):
        raise RecursionError
    return value


def is_deeper(value: Json, most: int) -> bool:
    """True if lists and objects are nested more than `most` levels deep."""
    level = [value] if isinstance(value, dict | list) else []
    for _ in range(most):
        level = [
            inner
            for one in level
            for inner in (one.values() if isinstance(one, dict) else one)
            if isinstance(inner, dict | list)
        ]
        if not level:
            return False
    return True
