"""Which known word somebody meant who mistyped one, or wrote only its beginning."""

from __future__ import annotations

import string
from collections.abc import Container, Iterable, Iterator, Mapping

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
