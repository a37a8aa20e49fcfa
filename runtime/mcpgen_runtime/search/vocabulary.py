"""The words of the tools: matching stems for a word of a query, and corrections of misspelt or shortened
words."""

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

_MIN_PREFIX_LENGTH = 3
"""Minimum characters of a word completed to longer words; shorter words begin too many words."""

_MAX_CORRECTIONS = 3
"""Maximum number of corrections of a word."""


def correct_spelling(word: str, word_counts: Mapping[str, int]) -> tuple[str, ...]:
    """The known words nearest to an unknown word, most frequent first, at most `_MAX_CORRECTIONS`: words
    at one edit; without any, words at two edits; without any, words that begin with the unknown word.

    Short words and words with other characters than letters are not corrected. `word_counts` are the known words with the number of uses.
    """
    if len(word) < _MIN_CORRECTED_LENGTH or not word.isalpha():
        return _with_prefix(word, word_counts) if len(word) >= _MIN_PREFIX_LENGTH else ()
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
    by_frequency = sorted(candidates, key=lambda candidate: (-word_counts[candidate], candidate))
    return tuple(by_frequency[:_MAX_CORRECTIONS])


def _known_words(candidates: Iterable[str], words: Container[str]) -> Iterator[str]:
    return (candidate for candidate in candidates if candidate in words)


def _one_edit_away(word: str) -> Iterator[str]:
    """All words at one deletion, transposition, replacement or insertion."""
    for position in range(len(word) + 1):
        head, tail = word[:position], word[position:]
        if tail:
            yield head + tail[1:]
        if len(tail) > 1:
            yield head + tail[1] + tail[0] + tail[2:]
        for letter in string.ascii_lowercase:
            yield head + letter + tail
            if tail:
                yield head + letter + tail[1:]


def _can_be_close(word: str, other: str) -> bool:
    """Cheap test before `_distance`, for words at two edits: the first letter is rarely wrong."""
    return word[0] == other[0] and abs(len(word) - len(other)) <= 2


def _distance(word: str, other: str) -> int:
    """The Levenshtein distance of two words, in one row of the table that is overwritten per letter."""
    row = list(range(len(other) + 1))
    for length, letter in enumerate(word, 1):
        diagonal, row[0] = row[0], length
        for column, other_letter in enumerate(other, 1):
            replaced = diagonal + (letter != other_letter)
            diagonal, row[column] = row[column], min(replaced, row[column] + 1, row[column - 1] + 1)
    return row[-1]


_ENDINGS = ("er", "or", "e", "able", "al", "ance", "ence", "ure", "ship", "y", "iv")
"""Endings that derive related words: reviewer, inspector, assignee, failure. `e` and `iv` are the endings -ee
and -ive of stems, which have no final e."""

_MIN_ROOT_LENGTH = 4
"""Minimum letters left of a stem without its ending."""

_MIN_HALF_LENGTH = 4
"""Minimum letters of each half of a split compound."""

_DERIVED_WEIGHT = 0.85
"""Weight of a derived word."""

_CORRECTED_WEIGHT = 0.85
"""Weight of a corrected word."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The known stems, which are the stems of the tools' words. `has` is true for a known stem; `correct`
    returns the known words nearest to a word."""

    has: Callable[[str], bool]
    correct: Callable[[str], tuple[str, ...]]

    def split_compounds(self, words: Iterable[str]) -> Iterator[str]:
        """The words; a word that is unknown, but consists of two known words, is split."""
        for word in words:
            yield from self._halves(word) or (word,)

    def _halves(self, word: str) -> tuple[str, str] | None:
        """The two known words of an unknown compound; None for any other word."""
        stem = stem_word(word)
        if self.has(stem) or stem in SYNONYMS:
            return None
        halves = (
            (word[:position], word[position:])
            for position in range(_MIN_HALF_LENGTH, len(word) - _MIN_HALF_LENGTH + 1)
        )
        return next(
            (pair for pair in halves if all(self.has(stem_word(half)) for half in pair)), None
        )

    def stems(self, word: str) -> dict[str, float]:
        """The known stems that match a word, with weights up to 1: the word's own stem first, synonyms, derived
        words, and corrections with synonyms if neither the own stem nor a synonym is known."""
        own_stem = stem_word(word)
        weights = {own_stem: 1.0, **SYNONYMS.get(own_stem, {})}
        is_unknown = not any(self.has(stem) for stem in weights)
        for stem in _related(own_stem):
            weights.setdefault(stem, _DERIVED_WEIGHT)
        if is_unknown:
            for stem in map(stem_word, self.correct(word)):
                weights[stem] = _CORRECTED_WEIGHT
                for synonym, weight in SYNONYMS.get(stem, {}).items():
                    weights.setdefault(synonym, weight * _CORRECTED_WEIGHT)
        return {stem: weight for stem, weight in weights.items() if self.has(stem)}


def _related(stem: str) -> Iterator[str]:
    """The stems derived from a stem, and the stem's possible roots."""
    for ending in _ENDINGS:
        yield stem_word(stem + ending)
        if stem.endswith(ending) and len(stem) - len(ending) >= _MIN_ROOT_LENGTH:
            yield stem_word(stem[: -len(ending)])
