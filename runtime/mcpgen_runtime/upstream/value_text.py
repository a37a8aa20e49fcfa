"""Text of a value in a request, and JSON that tolerates the numbers of real APIs."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from math import isfinite
from unicodedata import normalize
from urllib.parse import quote, unquote

from ..tool import Json
from .exchange import InvalidArguments

FORBIDDEN_HEADERS = frozenset(
    {
        *("accept", "accept-encoding", "authorization", "connection", "content-length"),
        *("content-type", "cookie", "expect", "host", "keep-alive", "te", "trailer"),
        *("transfer-encoding", "upgrade"),
    }
)
"""Headers that only the server sets."""

FORWARDED_HEADERS = frozenset(["forwarded", "via", "x-real-ip"])
"""Proxy headers that a call cannot set, besides all of `Proxy-*` and `X-Forwarded-*`."""

_TOKEN = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
_HEADER_VALUE = re.compile(r"[\t\x20-\x7e]*")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_PLAIN = re.compile(r"[A-Za-z0-9_~-]+")
_ODD_INTEGER = re.compile(r"\.0|e\+")
"""Matches JSON text that may contain a `float` without a fraction."""
_COMPACT = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False)


TOO_LARGE = "holds a number that is too large"
"""The problem of numbers such as `1e400`, which JSON cannot represent."""


def scalar_value(value: Json) -> str:
    """The text of a scalar. Raises `InvalidArguments` for an infinite number."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, float) and not isfinite(value):
        raise InvalidArguments(TOO_LARGE)
    if value is None:
        return "null"
    return request_json(value)


def compact_json(value: Json) -> str:
    """Compact JSON."""
    return _COMPACT.encode(value)


def request_json(value: Json, encode: Callable[[Json], str] = _COMPACT.encode) -> str:
    """Compact JSON for the API. Integers are written without fraction and exponent, `1` for `1.0`,
    because OpenAPI 2.0 and 3.0 allow no other form of an `integer`;
    https://spec.openapis.org/oas/v3.0.4.html#data-types."""
    text = encode(value)
    return encode(_plain_integers(value)) if _ODD_INTEGER.search(text) else text


def _plain_integers(value: Json) -> Json:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, dict):
        return {key: _plain_integers(item) for key, item in value.items()}
    return [_plain_integers(item) for item in value] if isinstance(value, list) else value


def replace_surrogates(text: str) -> str:
    """The text with U+FFFD in place of surrogates, which UTF-8 cannot encode."""
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)


def for_path(value: Json, safe: str = "") -> str:
    """A value inside a path segment; https://www.rfc-editor.org/rfc/rfc3986#section-3.3. Raises
    `InvalidArguments` for a value that a server or proxy could read as another path."""
    text = scalar_value(value)
    if _PLAIN.fullmatch(text):
        return text
    if _CONTROL.search(text):
        raise InvalidArguments("must not hold control characters")
    if has_dot_segment(text):
        raise InvalidArguments("must not hold a path segment `.` or `..`")
    return quote(text, safe=safe)


def has_dot_segment(text: str) -> bool:
    """True if the text contains a dot segment after repeated decoding or Unicode normalization."""
    if text.isascii() and "." not in text and "%" not in text:
        return False
    for _ in range(3):
        text = normalize("NFKC", unquote(text))
        for segment in re.split(r"[/\\]", text):
            if segment.partition(";")[0] in (".", ".."):
                return True
    return False


def for_query(value: Json) -> str:
    """A value or key in the query."""
    text = scalar_value(value)
    return text if _PLAIN.fullmatch(text) else quote(text, safe="")


def for_header(value: Json) -> str:
    """A value of a header. Raises `InvalidArguments` for characters not allowed in headers, and for
    surrounding blanks, which HTTP strips; https://www.rfc-editor.org/rfc/rfc9110#section-5.5."""
    text = scalar_value(value)
    if not _HEADER_VALUE.fullmatch(text):
        raise InvalidArguments("must hold printable ASCII characters only")
    if text != text.strip(" \t"):
        raise InvalidArguments("must not begin or end with a space or a tab")
    return text


def token(name: str) -> str:
    """Checks a header name. Raises `InvalidArguments` if invalid."""
    if not _TOKEN.fullmatch(name):
        raise InvalidArguments("names a header that HTTP does not allow")
    return name


def header_name(name: str, *, is_set_by_server: bool = False) -> str:
    """Checks the name of a header parameter. Raises `InvalidArguments` if invalid or reserved for
    the server. A header of proxies is reserved unless `is_set_by_server`: clients cannot give the
    value."""
    lowered = name.lower()
    is_forwarded = lowered in FORWARDED_HEADERS or lowered.startswith(("proxy-", "x-forwarded-"))
    if lowered in FORBIDDEN_HEADERS or (is_forwarded and not is_set_by_server):
        raise InvalidArguments(f"must not set the header `{name}`")
    return token(name)


def cookie_name(name: str) -> str:
    """Checks a cookie name. Raises `InvalidArguments` if invalid."""
    if not _TOKEN.fullmatch(name):
        raise InvalidArguments("names a cookie that HTTP does not allow")
    return name


MAX_DIGITS = 4000  # Maximum digits of an integer; near Python's default limit of 4300

_LENIENT_JSON_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"|-?Infinity|NaN', re.DOTALL)


@dataclass(frozen=True)
class LenientJson:
    """One JSON value. `text` is valid JSON with every digit kept; `value` has null for numbers that
    Python cannot represent. `nulls` counts NaN and Infinity, which become null in `text` as
    well."""

    value: Json
    text: str
    nulls: int = 0


def loads(source: bytes | str) -> LenientJson:
    """Parses JSON. Raises `ValueError` if invalid, and `RecursionError` if nested too deeply."""
    try:
        value = json.loads(source)
        return LenientJson(value, compact_json(value))
    except (json.JSONDecodeError, UnicodeDecodeError):
        raise
    except ValueError:
        return _lenient(source)


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

    return LenientJson(value, _LENIENT_JSON_TOKEN.sub(legal, source).strip(), nulls)


def _finite(digits: str) -> float | None:
    number = float(digits)
    return number if math.isfinite(number) else None


def _integer(digits: str) -> int | None:
    return int(digits) if len(digits) <= MAX_DIGITS else None
