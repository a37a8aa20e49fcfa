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
from .request import InvalidArguments

RESERVED = ":/?@!$'()*,"
"""Reserved characters that `allowReserved` leaves as they are; `#`, `[` and `]` may not stand in a
query, and `&`, `=`, `+` and `;` would be taken for something else there: Go's servers drop a pair
with `;`, and older ones divide it."""

RESERVED_IN_PATH = ":@!$&'()*+,"
"""The same in a path, which `/`, `?` and `#` would divide or end; `;` and `=` make parameters of a
segment there."""

FORBIDDEN_HEADERS = frozenset(
    [
        "accept",
        "accept-encoding",
        "authorization",
        "connection",
        "content-length",
        "content-type",
        "cookie",
        "expect",
        "host",
        "keep-alive",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
    ]
)
"""Headers that the server alone sets."""

FORWARDED_HEADERS = frozenset(["forwarded", "via", "x-real-ip"])
"""Headers about the way of a request, beside all of `Proxy-*` and `X-Forwarded-*`: a call cannot set
them."""

_TOKEN = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
_HEADER_VALUE = re.compile(r"[\t\x20-\x7e]*")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_COOKIE_UNSAFE = re.compile(r"[^!#-$&-+\--:<-\[\]-~]")
_CREDENTIAL_UNSAFE = re.compile(r"[^!#-+\--:<-\[\]-~]")
_COOKIE_VALUE = re.compile(r"[!#-+\--:<-\[\]-~]*")
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_PLAIN = re.compile(r"[A-Za-z0-9_~-]+")
_ODD_INTEGER = re.compile(r"\.0|e\+")
"""Occurs in JSON text that may hold a `float` without a fraction."""
_COMPACT = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False)


TOO_LARGE = "holds a number that is too large"
"""Why a number like `1e400` is not sent, for which JSON has no other words."""


def scalar_value(value: Json) -> str:
    """The text of a value that is no array and no object. Raises `InvalidArguments` for a number that is none
    of JSON's."""
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
    """Compact JSON for the API, with integers written without fraction and exponent: `1.0` is `1`,
    since OpenAPI 2.0 and 3.0 take no other spelling for an `integer`;
    https://spec.openapis.org/oas/v3.0.4.html#data-types."""
    text = encode(value)
    return encode(_plain_integers(value)) if _ODD_INTEGER.search(text) else text


def _plain_integers(value: Json) -> Json:
    """The value with an `int` for each `float` without a fraction."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, dict):
        return {key: _plain_integers(each) for key, each in value.items()}
    return [_plain_integers(each) for each in value] if isinstance(value, list) else value


def replace_surrogates(text: str) -> str:
    """The text with U+FFFD for each half of a surrogate pair, which UTF-8 cannot write."""
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)


def for_path(value: Json, safe: str = "") -> str:
    """A value inside one segment of the path; https://www.rfc-editor.org/rfc/rfc3986#section-3.3.

    Raises `InvalidArguments` for a value that some server on the way could read as another path.
    """
    text = scalar_value(value)
    if _PLAIN.fullmatch(text):
        return text
    if _CONTROL.search(text):
        raise InvalidArguments("must not hold control characters")
    if climbs(text):
        raise InvalidArguments("must not hold a path segment `.` or `..`")
    return quote(text, safe=safe)


def for_reserved_path(value: Json) -> str:
    """A value of a path parameter with `allowReserved`. Raises `InvalidArguments` as `for_path` does."""
    return for_path(value, RESERVED_IN_PATH)


def climbs(text: str) -> bool:
    """Whether a server that decodes once more, or folds Unicode, would see a dot segment."""
    if text.isascii() and "." not in text and "%" not in text:
        return False
    for _ in range(3):
        text = normalize("NFKC", unquote(text))
        for segment in re.split(r"[/\\]", text):
            if segment.partition(";")[0] in (".", ".."):
                return True
    return False


def for_query(value: Json) -> str:
    """A value, or a key, inside the query."""
    text = scalar_value(value)
    return text if _PLAIN.fullmatch(text) else quote(text, safe="")


def for_reserved_query(value: Json) -> str:
    """A value of a query parameter with `allowReserved`."""
    return quote(scalar_value(value), safe=RESERVED)


def for_header(value: Json) -> str:
    """A value inside a header. Raises `InvalidArguments` for what a header cannot carry: HTTP takes blanks
    around a value away; https://www.rfc-editor.org/rfc/rfc9110#section-5.5."""
    text = scalar_value(value)
    if not _HEADER_VALUE.fullmatch(text):
        raise InvalidArguments("must hold printable ASCII characters only")
    if text != text.strip(" \t"):
        raise InvalidArguments("must not begin or end with a space or a tab")
    return text


def for_cookie(value: Json) -> str:
    """A value of a cookie. Characters that a cookie cannot hold, and `%`, are percent-encoded as
    UTF-8, so different values are different cookies;
    https://www.rfc-editor.org/rfc/rfc6570#section-3.2.8.

    Raises `InvalidArguments` for control characters.
    """
    text = scalar_value(value)
    if _CONTROL.search(text):
        raise InvalidArguments("must not hold control characters")
    return _COOKIE_UNSAFE.sub(lambda match: quote(match[0], safe=""), text)


def credential_cookie(value: Json) -> str:
    """A credential in a cookie: as the operator gives it, `%` included, since the API has issued the
    credential in the form that cookies carry.

    Raises `InvalidArguments` for characters that a header cannot carry.
    """
    return _CREDENTIAL_UNSAFE.sub(lambda match: quote(match[0], safe=""), for_header(value))


def for_plain_cookie(value: Json) -> str:
    """A value of a cookie in style `cookie`, which escapes nothing.

    Raises `InvalidArguments` for what a cookie cannot carry as it is;
    https://www.rfc-editor.org/rfc/rfc6265#section-4.1.1.
    """
    text = scalar_value(value)
    if not _COOKIE_VALUE.fullmatch(text):
        raise InvalidArguments(
            "must not hold spaces, quotes, commas, semicolons or what is not ASCII"
        )
    return text


def token(name: str) -> str:
    """The name of a header, if it can be one; else raises `InvalidArguments`."""
    if not _TOKEN.fullmatch(name):
        raise InvalidArguments("names a header that HTTP does not allow")
    return name


def header_name(name: str, *, is_fixed: bool = False) -> str:
    """A header's name, if the server leaves it to the API's description; else raises `InvalidArguments`.
    `is_fixed`: no call gives the value."""
    lowered = name.lower()
    is_forwarded = lowered in FORWARDED_HEADERS or lowered.startswith(("proxy-", "x-forwarded-"))
    if lowered in FORBIDDEN_HEADERS or (is_forwarded and not is_fixed):
        raise InvalidArguments(f"must not set the header `{name}`")
    return token(name)


def cookie_name(name: str) -> str:
    """A cookie's name, if it can be one; else raises `InvalidArguments`."""
    if not _TOKEN.fullmatch(name):
        raise InvalidArguments("names a cookie that HTTP does not allow")
    return name


MOST_DIGITS = 4000
"""How long an integer may be; Python reads no longer ones by itself."""

_LENIENT_JSON_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"|-?Infinity|NaN', re.DOTALL)


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

    return LenientJson(value, _LENIENT_JSON_TOKEN.sub(legal, source).strip(), nulls)


def _finite(digits: str) -> float | None:
    number = float(digits)
    return number if math.isfinite(number) else None


def _integer(digits: str) -> int | None:
    return int(digits) if len(digits) <= MOST_DIGITS else None
