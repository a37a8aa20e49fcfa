"""Words of the tools, and the known words a misspelt or shortened word stands for."""

from __future__ import annotations

import string
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass

from .stemming import stem_word
from .synonyms import OTHERS

_SHORTEST = 4
"""Letters of a word that may have one wrong; shorter ones have too many neighbours."""

_LONG = 8
"""Letters of a word that may have two wrong."""


def correct_spelling(word: str, known: Mapping[str, int]) -> tuple[str, ...]:
    """The known words nearest to one that is not known, the most used first, at most three.

    `known` says in how many places each word stands.
    """
    if len(word) < _SHORTEST or not word.isalpha():
        return _begun(word, known) if len(word) > 2 else ()
    found = set(_existing(_one_off(word), known))
    if not found and len(word) >= _LONG:
        found = {other for other in known if _alike(word, other) and _distance(word, other) <= 2}
    return _first(found, known) or _begun(word, known)


def _begun(word: str, known: Mapping[str, int]) -> tuple[str, ...]:
    """The known words that begin with this one and are not much longer than a word can be."""
    return _first((other for other in known if other.startswith(word)), known)


def _first(found: Iterable[str], known: Mapping[str, int]) -> tuple[str, ...]:
    return tuple(sorted(found, key=lambda other: (-known[other], other))[:3])


def _existing(candidates: Iterable[str], known: Container[str]) -> Iterator[str]:
    return (one for one in candidates if one in known)


def _one_off(word: str) -> Iterator[str]:
    """Every word with one letter left out, swapped with the next, replaced or put in."""
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
    """Whether comparing letter by letter is worth it: the first is seldom wrong."""
    return word[0] == other[0] and abs(len(word) - len(other)) <= 2 and not other.startswith("+")


def _distance(word: str, other: str) -> int:
    """How many letters to put in, leave out or replace, to make one word of the other."""
    row = list(range(len(other) + 1))
    for at, letter in enumerate(word, 1):
        before, row[0] = row[0], at
        for to, facing in enumerate(other, 1):
            changed = before + (letter != facing)
            before, row[to] = row[to], min(changed, row[to] + 1, row[to - 1] + 1)
    return row[-1]


_FORMS = ("er", "or", "e", "able", "al", "ance", "ence", "ure", "ship", "y", "iv")
"""What may follow a stem in a word that is close to it: reviewer, inspector, assignee, failure."""

_HALF = 4
"""Letters of the shortest half of a word that is taken for two."""

"""Letters of the shortest stem that is taken for the root of another."""

_FORM = 0.85
"""What such a word counts."""

_CORRECTED = 0.85
"""What a word counts that was probably meant by one that no tool has."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Whether any tool has a stem, and which words of tools somebody meant who wrote another."""

    has: Callable[[str], bool]
    meant: Callable[[str], tuple[str, ...]]

    def apart(self, said: Iterable[str]) -> Iterator[str]:
        """The words, those that no tool has but both halves of as two."""
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
        """The known stems that may stand for a word, itself first."""
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
    """The stems of words that are made of it, or that it is made of."""
    for ending in _FORMS:
        yield stem_word(one + ending)
        if one.endswith(ending) and len(one) - len(ending) >= _SHORTEST:
            yield stem_word(one[: -len(ending)])
