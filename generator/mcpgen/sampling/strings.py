"""Strings: of a format, of a pattern, of a length."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from itertools import islice

from mcpgen.sampling.formats import FORMATS, WORDS
from mcpgen.sampling.pattern import matches
from mcpgen.sampling.validators import Json, compile_validator

LONGEST = 100_000
"""Characters a made-up string may have, whatever `minLength` says."""


def string(schema: Mapping[str, Json], nth: int = 0) -> str:
    """A string that fits format, pattern and lengths; where none is found, one of the right length.

    `nth` counts the values that were asked for before, each of which is another one.
    """
    low, high = _length(schema.get("minLength"), 0), _length(schema.get("maxLength"), LONGEST)
    pattern, format_ = schema.get("pattern"), schema.get("format")
    return _string(
        pattern if isinstance(pattern, str) else None,
        format_ if isinstance(format_, str) else None,
        low,
        high,
        nth,
    )


@lru_cache(maxsize=2_000)
def _string(pattern: str | None, format_: str | None, low: int, high: int, nth: int) -> str:
    """As `string`; kept, because the same few patterns stand in a document hundreds of times."""
    ready = FORMATS.get(format_ or "", ())
    word = _sized(_word(nth), low, high)
    if pattern is None:
        fitting = nth < len(ready) and low <= len(ready[nth]) <= high
        return ready[nth] if fitting else word
    rules = {"format": format_, "pattern": pattern, "minLength": low, "maxLength": high}
    check = compile_validator({key: rule for key, rule in rules.items() if rule is not None})
    if check is None:
        return word
    found = (text for text in (*ready, *matches(pattern, low, high), word) if check.is_valid(text))
    distinct = list(islice(found, nth + 1))
    return distinct[-1] if distinct else word


def _word(nth: int) -> str:
    return WORDS[nth] if nth < len(WORDS) else f"{WORDS[0]}{nth}"


def _sized(text: str, low: int, high: int) -> str:
    """The text, cut or repeated to a length; cut at its front, where numbered texts are alike."""
    while len(text) < low:
        text += text
    if len(text) > max(low, high):
        return text[:0] if high <= 0 else text[-high:] if text[-1].isdigit() else text[:high]
    return text[: max(low, len(_word(0)))] if low and len(text) > max(low, 20) else text


def _length(value: Json, default: int) -> int:
    """A length as a schema gives it, held inside what may be made up."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return max(0, min(int(value), LONGEST))
    return default
