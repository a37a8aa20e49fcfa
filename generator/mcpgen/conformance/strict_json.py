"""JSON as RFC 8259 has it: what a lenient parser would let pass is an error here."""

from __future__ import annotations

import json
from typing import Any

Json = Any
"""A JSON value."""


def loads(raw: bytes) -> Json:
    """The value that `raw` spells. Raises ValueError, in plain words, for anything but strict
    JSON in UTF-8: duplicate keys, NaN, Infinity, a byte order mark, nesting too deep to read."""
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(f"not UTF-8 (byte {error.start})") from error
    try:
        return json.loads(text, object_pairs_hook=_object, parse_constant=_constant)
    except json.JSONDecodeError as error:
        raise ValueError(f"not JSON ({error.msg}, character {error.pos})") from error
    except RecursionError as error:
        raise ValueError("nested too deep") from error


def dumps(value: Json) -> bytes:
    """`value` as compact JSON in UTF-8."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def _object(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    found = dict(pairs)
    if len(found) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"duplicate key {twice!r}")
    return found


def _constant(name: str) -> Json:
    raise ValueError(f"{name} is not JSON")
