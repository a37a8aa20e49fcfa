"""Strict JSON (RFC 8259): inputs that lenient parsers accept are errors."""

from __future__ import annotations

import json
import math
from collections import Counter
from typing import Any

Json = Any
"""A JSON value."""

MAX_DIGITS = 1_000
"""Maximum digits of a number; parsing time grows with the square of the digits."""


def loads(raw: bytes) -> Json:
    """Parses JSON in UTF-8.

    Raises ValueError for duplicate keys, NaN, Infinity, a byte order mark, too deep nesting, and
    numbers that are too large. Example: `loads(b'{"a": 1, "a": 2}')` raises `duplicate key 'a'`.
    """
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(f"not UTF-8 (byte {error.start})") from error
    try:
        return json.loads(
            text,
            object_pairs_hook=_unique_members,
            parse_constant=_constant,
            parse_float=_float,
            parse_int=_int,
        )
    except json.JSONDecodeError as error:
        raise ValueError(f"not JSON ({error.msg}, character {error.pos})") from error
    except RecursionError as error:
        raise ValueError("nested too deep") from error


def dumps(value: Json) -> bytes:
    """`value` as compact JSON in UTF-8."""
    return _compact(value).encode("utf-8", "replace")


_compact = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def _unique_members(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    value = dict(pairs)
    if len(value) != len(pairs):
        twice = next(key for key, count in Counter(key for key, _ in pairs).items() if count > 1)
        raise ValueError(f"duplicate key {twice!r}")
    return value


def _float(digits: str) -> float:
    value = float(digits)
    if math.isinf(value):
        raise ValueError(f"the number {digits[:MAX_DIGITS]} is too large for any reader")
    return value


def _int(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise ValueError(f"a number has {len(digits):,} digits")
    return int(digits)


def _constant(name: str) -> Json:
    raise ValueError(f"{name} is not JSON")
