"""Regular expressions of schemas: those that validators accept, and equals of those they do not."""

from __future__ import annotations

import re
from functools import lru_cache

import jsonschema_rs

_CLASS = re.compile(r"\[(?:\\.|[^\]\\])*\]")
_DELIMITED = re.compile(r"/(\^.*\$)/[a-z]*")
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_SET_ENDS = {"A": "^", "Z": "$", "z": "$"}
_SYNTAX = frozenset("^$\\.*+?()[]{}|/-")
_LONGEST = 10_000


def usable(pattern: str) -> bool:
    """Whether a pattern means to validators what its author meant."""
    return not _DELIMITED.fullmatch(pattern) and is_supported_pattern(pattern)


@lru_cache(maxsize=4096)
def is_supported_pattern(pattern: str) -> bool:
    """Whether the validators of a generated server accept a pattern."""
    if len(pattern) > _LONGEST:
        return False
    try:
        jsonschema_rs.Draft202012Validator({"pattern": pattern})
    except ValueError:
        return False
    return True


@lru_cache(maxsize=1024)
def translate_pattern(pattern: str) -> str | None:
    """An equal of a pattern in the dialect of JSON Schema; None where none is known.

    Equal is: delimiters of other languages taken off, `\\A` and `\\Z` as `^` and `$`, a hyphen
    beside a class such as `\\w` escaped, and needless escapes taken off.
    """
    delimited = _DELIMITED.fullmatch(pattern)
    if delimited and pattern.endswith("/"):
        pattern = delimited[1]
        if is_supported_pattern(pattern):
            return pattern
    candidate = _ESCAPED.sub(_plain, _CLASS.sub(_hyphens, pattern))
    return candidate if candidate != pattern and is_supported_pattern(candidate) else None


def _hyphens(found: re.Match[str]) -> str:
    """A character class whose hyphens beside `\\w` and its like are escaped."""
    return re.sub(r"(?<=\\[wWdDsS])-(?=[^\]])|(?<=[^\[\\^])-(?=\\[wWdDsS])", r"\\-", found[0])


def _plain(found: re.Match[str]) -> str:
    """An escape as JSON Schema writes it."""
    character = found[1]
    if character in _SET_ENDS:
        return _SET_ENDS[character]
    return found[0] if character in _SYNTAX or character.isalnum() else character
