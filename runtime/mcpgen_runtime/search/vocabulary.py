"""Words of the tools, and corrections of misspelt or shortened words."""

from __future__ import annotations

import string
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass

from .stemming import stem_word
from .synonyms import SYNONYMS

_MIN_CORRECTED_LENGTH = 4
"""Minimum letters of a word corrected for one error; shorter words have too many neighbors."""

_MIN_LENGTH_FOR_TWO_ERRORS = 8
"""Minimum letters of a word corrected for two errors."""


def correct_spelling(word: str, word_counts: Mapping[str, int]) -> tuple[str, ...]:
    """The known words nearest to an unknown word, most frequent first, at most three.

    `word_counts` counts the uses of each word.
    """
    if len(word) < _MIN_CORRECTED_LENGTH or not word.isalpha():
        return _with_prefix(word, word_counts) if len(word) > 2 else ()
    matches = set(_known_words(_one_edit_away(word), word_counts))
    if not matches and len(word) >= _MIN_LENGTH_FOR_TWO_ERRORS:
        matches = {
            candidate
            for candidate in word_counts
            if _can_be_close(word, candidate) and _distance(word, candidate) <= 2
        }
    return _most_frequent(matches, word_counts) or _with_prefix(word, word_counts)


def _with_prefix(word: str, word_counts: Mapping[str, int]) -> tuple[str, ...]:
    """Known words that begin with this word, most frequent first."""
    return _most_frequent(
        (candidate for candidate in word_counts if candidate.startswith(word)), word_counts
    )


def _most_frequent(candidates: Iterable[str], word_counts: Mapping[str, int]) -> tuple[str, ...]:
    return tuple(sorted(candidates, key=lambda candidate: (-word_counts[candidate], candidate))[:3])


def _known_words(candidates: Iterable[str], words: Container[str]) -> Iterator[str]:
    return (candidate for candidate in candidates if candidate in words)


def _one_edit_away(word: str) -> Iterator[str]:
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


def _can_be_close(word: str, other: str) -> bool:
    """Cheap test before comparing letters: the first letter is rarely wrong."""
    return word[0] == other[0] and abs(len(word) - len(other)) <= 2 and not other.startswith("+")


def _distance(word: str, other: str) -> int:
    """The Levenshtein distance of two words."""
    row = list(range(len(other) + 1))
    for at, letter in enumerate(word, 1):
        before, row[0] = row[0], at
        for column, other_letter in enumerate(other, 1):
            changed = before + (letter != other_letter)
            before, row[column] = row[column], min(changed, row[column] + 1, row[column - 1] + 1)
    return row[-1]


_FORMS = ("er", "or", "e", "able", "al", "ance", "ence", "ure", "ship", "y", "iv")
"""Endings that derive related words: reviewer, inspector, assignee, failure."""

_MIN_HALF_LENGTH = 4
"""Minimum letters of each half of a split compound."""

_FORM = 0.85
"""Weight of a derived word."""

_CORRECTED = 0.85
"""Weight of a corrected word."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The known stems: `has` tests for a stem, `corrections` returns corrections of a word."""

    has: Callable[[str], bool]
    corrections: Callable[[str], tuple[str, ...]]

    def split_compounds(self, words: Iterable[str]) -> Iterator[str]:
        """The words, with compounds split if only both halves are known."""
        for word in words:
            yield from self._halves(word) or (word,)

    def _halves(self, word: str) -> tuple[str, str] | None:
        stem = stem_word(word)
        if self.has(stem) or stem in SYNONYMS:
            return None
        halves = (
            (word[:at], word[at:])
            for at in range(_MIN_HALF_LENGTH, len(word) - _MIN_HALF_LENGTH + 1)
        )
        return next(
            (pair for pair in halves if all(self.has(stem_word(half)) for half in pair)), None
        )

    def stems(self, word: str) -> dict[str, float]:
        """The known stems for a word with weights, the word's own stem first."""
        own_stem = stem_word(word)
        weights = {own_stem: 1.0, **SYNONYMS.get(own_stem, {})}
        unknown = not any(self.has(stem) for stem in weights)
        for stem in _related(own_stem):
            weights.setdefault(stem, _FORM)
        if unknown:
            for stem in map(stem_word, self.corrections(word)):
                weights[stem] = _CORRECTED
                for synonym, weight in SYNONYMS.get(stem, {}).items():
                    weights.setdefault(synonym, weight * _CORRECTED)
        return {stem: weight for stem, weight in weights.items() if self.has(stem)}


def _related(stem: str) -> Iterator[str]:
    """The stems derived from a stem, and the stem's possible roots."""
    for ending in _FORMS:
        yield stem_word(stem + ending)
        if stem.endswith(ending) and len(stem) - len(ending) >= _MIN_CORRECTED_LENGTH:
            yield stem_word(stem[: -len(ending)])
