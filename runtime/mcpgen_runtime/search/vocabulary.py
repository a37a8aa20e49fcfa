"""Words of the tools, and corrections of misspelt or shortened words."""

from __future__ import annotations

import string
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass

from .stemming import stem_word
from .synonyms import OTHERS

_SHORTEST = 4
"""Minimum letters of a word corrected for one error; shorter words have too many neighbors."""

_LONG = 8
"""Minimum letters of a word corrected for two errors."""


def correct_spelling(word: str, known: Mapping[str, int]) -> tuple[str, ...]:
    """The known words nearest to an unknown word, most frequent first, at most three.

    `known` counts the uses of each word.
    """
    if len(word) < _SHORTEST or not word.isalpha():
        return _begun(word, known) if len(word) > 2 else ()
    found = set(_existing(_one_off(word), known))
    if not found and len(word) >= _LONG:
        found = {other for other in known if _alike(word, other) and _distance(word, other) <= 2}
    return _first(found, known) or _begun(word, known)


def _begun(word: str, known: Mapping[str, int]) -> tuple[str, ...]:
    """Known words that begin with this word, most frequent first."""
    return _first((other for other in known if other.startswith(word)), known)


def _first(found: Iterable[str], known: Mapping[str, int]) -> tuple[str, ...]:
    return tuple(sorted(found, key=lambda other: (-known[other], other))[:3])


def _existing(candidates: Iterable[str], known: Container[str]) -> Iterator[str]:
    return (one for one in candidates if one in known)


def _one_off(word: str) -> Iterator[str]:
    """All words at one deletion, transposition, replacement or insertion."""
    for at in range(len(word) + 1):
        head, tail = word[:at], word[at:]
        if tail:
            yield head + tail[1:]
        if len(tail) > 1:
            yield head + tail[1] + tail[0] + tail[2:]
        for letter in string.ascii_lowercase:
            yield head + letter + tail
            if tail:
                yield head + letter + tail[1:]


def _alike(word: str, other: str) -> bool:
    """Cheap test before comparing letters: the first letter is rarely wrong."""
    return word[0] == other[0] and abs(len(word) - len(other)) <= 2 and not other.startswith("+")


def _distance(word: str, other: str) -> int:
    """The Levenshtein distance of two words."""
    row = list(range(len(other) + 1))
    for at, letter in enumerate(word, 1):
        before, row[0] = row[0], at
        for to, facing in enumerate(other, 1):
            changed = before + (letter != facing)
            before, row[to] = row[to], min(changed, row[to] + 1, row[to - 1] + 1)
    return row[-1]


_FORMS = ("er", "or", "e", "able", "al", "ance", "ence", "ure", "ship", "y", "iv")
"""Endings that derive related words: reviewer, inspector, assignee, failure."""

_HALF = 4
"""Minimum letters of each half of a split compound."""

_FORM = 0.85
"""Weight of a derived word."""

_CORRECTED = 0.85
"""Weight of a corrected word."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The known stems: `has` tests for a stem, and `meant` gives corrections of an unknown word."""

    has: Callable[[str], bool]
    meant: Callable[[str], tuple[str, ...]]

    def apart(self, said: Iterable[str]) -> Iterator[str]:
        """The words, with compounds split if only both halves are known."""
        for word in said:
            yield from self._halves(word) or (word,)

    def _halves(self, word: str) -> tuple[str, str] | None:
        one = stem_word(word)
        if self.has(one) or one in OTHERS:
            return None
        halves = ((word[:at], word[at:]) for at in range(_HALF, len(word) - _HALF + 1))
        return next(
            (both for both in halves if all(self.has(stem_word(one)) for one in both)), None
        )

    def stems(self, word: str) -> dict[str, float]:
        """The known stems for a word with weights, the word's own stem first."""
        one = stem_word(word)
        found = {one: 1.0, **OTHERS.get(one, {})}
        unknown = not any(self.has(other) for other in found)
        for other in _related(one):
            found.setdefault(other, _FORM)
        if unknown:
            for other in map(stem_word, self.meant(word)):
                found[other] = _CORRECTED
                for further, weight in OTHERS.get(other, {}).items():
                    found.setdefault(further, weight * _CORRECTED)
        return {other: weight for other, weight in found.items() if self.has(other)}


def _related(one: str) -> Iterator[str]:
    """The stems derived from a stem, and the stem's possible roots."""
    for ending in _FORMS:
        yield stem_word(one + ending)
        if one.endswith(ending) and len(one) - len(ending) >= _SHORTEST:
            yield stem_word(one[: -len(ending)])
