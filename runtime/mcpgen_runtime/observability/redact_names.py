"""Removes members with secret names from arguments shown to people."""

from __future__ import annotations

import json
import re

from ..tool import Json
from .redact import MASK

_SECRET = re.compile(r"passw|secret|token|credential|authorization|api_?key|private", re.IGNORECASE)

# A word followed by a colon, such as a member name in broken JSON: `{"token": "…`. Possessive
# quantifiers read each character once: with backtracking, megabytes of arguments take hours.
_MEMBER = re.compile(r"(?<![\w-])[\w-]++[\"']?\s*+:")


def redact_named(value: Json) -> Json:
    """The value without members that have secret names. A string that holds a JSON object or array
    with such members becomes the cleaned value."""
    if isinstance(value, dict):
        return {
            name: MASK if _SECRET.search(name) else redact_named(inner)
            for name, inner in value.items()
        }
    if isinstance(value, list):
        return [redact_named(inner) for inner in value]
    return _unnamed_text(value) if isinstance(value, str) else value


def _unnamed_text(text: str) -> Json:
    if not text.lstrip().startswith(("{", "[")):
        return text
    try:
        value = json.loads(text, parse_float=str, parse_int=str, parse_constant=str)
        redacted = redact_named(value)
    except (ValueError, RecursionError):
        names = (match[0] for match in _MEMBER.finditer(text))
        return MASK if any(map(_SECRET.search, names)) else text
    return text if redacted == value else redacted
