"""JSON as APIs write it: numbers that no reader can hold, and some that JSON does not have."""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass

from .tool import Json
from .value_text import compact_json

MOST_DIGITS = 4000
"""How long an integer may be; Python reads no longer ones by itself."""

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"|-?Infinity|NaN', re.DOTALL)


class TooDeep(Exception):
    """JSON that is nested beyond what can be read."""


@dataclass(frozen=True)
class LenientJson:
    """One JSON value. `text` is legal JSON that keeps every digit; `value` has null for numbers
    that Python, and most other readers, cannot hold. `nulls` counts those that are no JSON at all
    and stand as null in the text too."""

    value: Json
    text: str
    nulls: int = 0


def loads(source: bytes | str) -> LenientJson:
    """The value that is written there. Raises `ValueError` if it is no JSON, and `TooDeep`."""
    try:
        return _exact(source)
    except (json.JSONDecodeError, UnicodeDecodeError):
        raise
    except ValueError:
        return _lenient(source)
    except RecursionError:
        raise TooDeep from None


def _exact(source: bytes | str) -> LenientJson:
    value = json.loads(source)
    return LenientJson(value, compact_json(value))


def _lenient(source: bytes | str) -> LenientJson:
    if isinstance(source, bytes):
        source = source.decode(json.detect_encoding(source), "surrogatepass")
    value = json.loads(
        source, parse_constant=lambda _: None, parse_float=_finite, parse_int=_integer
    )
    nulls = 0

    def legal(token: re.Match[str]) -> str:
        nonlocal nulls
        if token[0].startswith('"'):
            return token[0]
        nulls += 1
        return "null"

    return LenientJson(value, _TOKEN.sub(legal, source).strip(), nulls)


def _finite(digits: str) -> float | None:
    number = float(digits)
    return number if math.isfinite(number) else None


def _integer(digits: str) -> int | None:
    return int(digits) if len(digits) <= MOST_DIGITS else None
