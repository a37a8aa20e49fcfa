"""Patterns of an author's step definitions: words, `*` for any text, `{name}` for a named text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

_VALUES = re.compile(r"`[^`]*`|\"[^\"]*\"|<[^<>]*>|\{[^{}]*\}|\b[0-9]+\b|\*+")
_WILD = re.compile(r"\*|\{([A-Za-z_][A-Za-z0-9_]*)\}")


def pattern_names(pattern: str) -> list[str]:
    """Returns the names of the placeholders in a pattern, in order.

    Example: `pattern_names("{count} notes of {owner}")` gives `['count', 'owner']`.
    """
    return [match[1] for match in _WILD.finditer(pattern) if match[1]]


def frequent_patterns(texts: Iterable[str]) -> list[tuple[str, int]]:
    """Returns the patterns that have several of the texts, with their number, most frequent first.

    Names in back-ticks, quoted texts, numbers and placeholders become `*`.
    """
    counts = Counter(" ".join(_VALUES.sub("*", _bare(text)).split()) for text in texts)
    return [
        (pattern, count)
        for pattern, count in counts.most_common()
        if count > 1 and is_step_pattern(pattern)
    ]


def is_step_pattern(pattern: str) -> bool:
    """Returns whether a pattern has words, words between its wildcards, and each name once."""
    names = pattern_names(pattern)
    words = _WILD.split(_plain_text(pattern))[::2]
    return bool("".join(words).strip()) and all(words[1:-1]) and len(names) == len(set(names))


def match_pattern(pattern: str, text: str) -> dict[str, str] | None:
    """Returns the named texts of a step with the words of a pattern, None for other words.

    Letter case, back-ticks and final punctuation do not count. Every placeholder takes the shortest
    text that fits, of at least one character; `*` may be empty. Literals are searched from left to
    right, in linear time, because a step is untrusted input.
    """
    literal, plain = _plain_text(pattern), _plain_text(text)
    parts = _WILD.split(literal)
    words, names = [part.lower() for part in parts[::2]], parts[1::2]
    lower = plain.lower()
    # `lower()` of a few letters is longer than the letter, so positions would differ.
    lower = lower if len(lower) == len(plain) else plain
    first, last = words[0], words[-1]
    if not names:
        return {} if lower == first else None
    if not lower.startswith(first) or len(lower) < len(first) + len(last):
        return None
    values: dict[str, str] = {}
    begin, end = len(first), len(lower) - len(last)
    if not lower.endswith(last):
        return None
    for number, (name, word) in enumerate(zip(names, words[1:], strict=True), 1):
        earliest = begin + (1 if name else 0)
        at = end if number == len(names) else lower.find(word, earliest, end)
        if at < earliest:
            return None
        if name:
            values[name] = plain[begin:at].strip(" \"'")
        begin = at + len(word)
    return values


def _plain_text(text: str) -> str:
    return " ".join(_bare(text).replace("`", "").split()).rstrip(".:; ")


def _bare(text: str) -> str:
    return text.strip().rstrip(".:; ")
