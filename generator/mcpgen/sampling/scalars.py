"""Numbers inside bounds."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import islice

from mcpgen.sampling.pattern import matches
from mcpgen.sampling.validators import Json, compile_validator


def sample_number(schema: Mapping[str, Json], *, whole: bool, nth: int = 0) -> int | float:
    """Returns a number within the bounds: 1 if allowed, else the nearest to a bound; `nth` gives
    the next values."""
    low, high = _low(schema), _high(schema)
    step = _multiple_of(schema, whole)
    if step is not None:
        return _python_number(_nth_multiple(low, high, step, nth), whole)
    if _is_within_bounds(Fraction(1 + nth), low, high):
        return 1 + nth
    if low is None or high is None:
        return _python_number(
            low[0] + 1 + nth if low else _required_format(high)[0] - 1 - nth, whole
        )
    if low[0] >= high[0]:
        return _python_number(low[0], whole)
    return _python_number(low[0] + (high[0] - low[0]) / (2 + nth), whole)


Bound = tuple[Fraction, bool]
"""A bound, and whether the bound itself is allowed."""


def _low(schema: Mapping[str, Json]) -> Bound | None:
    bounds = _bounds(schema, "minimum", "exclusiveMinimum")
    return max(bounds, key=lambda bound: (bound[0], not bound[1]), default=None)


def _high(schema: Mapping[str, Json]) -> Bound | None:
    bounds = _bounds(schema, "maximum", "exclusiveMaximum")
    return min(bounds, key=lambda bound: (bound[0], bound[1]), default=None)


def _bounds(schema: Mapping[str, Json], inclusive: str, exclusive: str) -> list[Bound]:
    bounds = ((inclusive, True), (exclusive, False))
    return [
        (_exact(schema[key]), allowed) for key, allowed in bounds if _is_number(schema.get(key))
    ]


def _multiple_of(schema: Mapping[str, Json], whole: bool) -> Fraction | None:
    step = schema.get("multipleOf")
    exact = _exact(step) if _is_number(step) else Fraction(0)
    if exact <= 0:
        return Fraction(1) if whole else None
    # The integers among the multiples of a reduced fraction are the multiples of its numerator.
    return Fraction(exact.numerator) if whole else exact


def _nth_multiple(low: Bound | None, high: Bound | None, step: Fraction, nth: int) -> Fraction:
    """Returns the `nth` multiple of `step` within the bounds."""
    first = step * math.ceil(1 / step) if step < 1 else step
    if _is_within_bounds(first + nth * step, low, high):
        return first + nth * step
    if low is not None:
        start = math.ceil(low[0] / step) * step
        start += step if start == low[0] and not low[1] else 0
        return start + nth * step
    bound = _required_format(high)
    end = math.floor(bound[0] / step) * step
    end -= step if end == bound[0] and not bound[1] else 0
    return end - nth * step


def _is_within_bounds(value: Fraction, low: Bound | None, high: Bound | None) -> bool:
    above = low is None or value > low[0] or (value == low[0] and low[1])
    below = high is None or value < high[0] or (value == high[0] and high[1])
    return above and below


def _required_format(bound: Bound | None) -> Bound:
    return bound or (Fraction(0), True)


def _is_number(value: Json) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _exact(value: Json) -> Fraction:
    """Returns the number as written: 0.1 is 1/10, not the nearest binary fraction."""
    return _to_json_number(str(value))


@lru_cache(maxsize=1_000)
def _to_json_number(number: str) -> Fraction:
    return Fraction(number)


def _python_number(value: Fraction | int, whole: bool) -> int | float:
    return int(value) if whole or value % 1 == 0 else float(value)


FORMATS: dict[str, tuple[str, ...]] = {
    "date": ("2026-01-15", "2026-01-16", "2026-01-17"),
    "date-time": ("2026-01-15T09:30:00Z", "2026-01-16T09:30:00Z", "2026-01-17T09:30:00Z"),
    "time": ("09:30:00Z", "10:30:00Z", "11:30:00Z"),
    "duration": ("P1D", "P2D", "P3D"),
    "uuid": (
        "3fa85f64-5717-4562-b3fc-2c963f66afa6",
        "9b2f3c1e-7a4d-4c7e-8f21-5d0c6a1b2e3f",
        "c0a8012e-1f3b-4d5a-9e7c-8b6d4f2a1c0e",
    ),
    "email": ("ada@example.com", "ben@example.com", "cleo@example.com"),
    "idn-email": ("ada@example.com", "ben@example.com", "cleo@example.com"),
    "hostname": ("example.com", "api.example.com", "www.example.com"),
    "idn-hostname": ("example.com", "api.example.com", "www.example.com"),
    "ipv4": ("192.0.2.1", "192.0.2.2", "192.0.2.3"),
    "ipv6": ("2001:db8::1", "2001:db8::2", "2001:db8::3"),
    "uri": ("https://example.com/a", "https://example.com/b", "https://example.com/c"),
    "url": ("https://example.com/a", "https://example.com/b", "https://example.com/c"),
    "uri-reference": ("/a", "/b", "/c"),
    "iri": ("https://example.com/a", "https://example.com/b", "https://example.com/c"),
    "iri-reference": ("/a", "/b", "/c"),
    "uri-template": ("/a/{id}", "/b/{id}", "/c/{id}"),
    "json-pointer": ("/a", "/b", "/c"),
    "relative-json-pointer": ("0/a", "0/b", "0/c"),
    "regex": ("^a$", "^b$", "^c$"),
    "byte": ("c2FtcGxl", "YW5vdGhlcg==", "dGhpcmQ="),
    "binary": ("sample", "another", "third"),
    "password": ("sample-password", "another-password", "third-password"),
}
"""Three values per format; hosts and addresses are reserved for documentation (RFC 2606, RFC
5737)."""

WORDS = ("sample", "another", "third")

MAX_CHARACTERS = 100_000
"""Characters of the longest sampled string, whatever `minLength` says."""


def sample_string(schema: Mapping[str, Json], nth: int = 0) -> str:
    """Returns a string with matching format, pattern and length, else of the right length.

    `nth` gives the next values.
    """
    low, high = _length(schema.get("minLength"), 0), _length(
        schema.get("maxLength"), MAX_CHARACTERS
    )
    pattern, format_name = schema.get("pattern"), schema.get("format")
    return _string(
        pattern if isinstance(pattern, str) else None,
        format_name if isinstance(format_name, str) else None,
        low,
        high,
        nth,
    )


@lru_cache(maxsize=2_000)
def _string(pattern: str | None, format_: str | None, low: int, high: int, nth: int) -> str:
    """As `sample_string`; kept, because the same few patterns stand in a document hundreds of times."""
    ready = FORMATS.get(format_ or "", ())
    word = _resize(_word(nth), low, high)
    if pattern is None:
        fitting = nth < len(ready) and low <= len(ready[nth]) <= high
        return ready[nth] if fitting else word
    rules = {"format": format_, "pattern": pattern, "minLength": low, "maxLength": high}
    check = compile_validator({key: rule for key, rule in rules.items() if rule is not None})
    if check is None:
        return word
    candidates = (
        text for text in (*ready, *matches(pattern, low, high), word) if check.is_valid(text)
    )
    distinct = list(islice(candidates, nth + 1))
    return distinct[-1] if distinct else word


def _word(nth: int) -> str:
    return WORDS[nth] if nth < len(WORDS) else f"{WORDS[0]}{nth}"


def _resize(text: str, low: int, high: int) -> str:
    """Returns the text cut at its front or repeated to a length; numbered texts differ at their
    end."""
    while len(text) < low:
        text += text
    if len(text) > max(low, high):
        return text[:0] if high <= 0 else text[-high:] if text[-1].isdigit() else text[:high]
    return text[: max(low, len(_word(0)))] if low and len(text) > max(low, 20) else text


def _length(value: Json, default: int) -> int:
    """Returns a length keyword, bounded."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return max(0, min(int(value), MAX_CHARACTERS))
    return default
