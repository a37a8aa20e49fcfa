"""The words that tools are made of, and which of them stand for a word of a question."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from .search_stemming import stem_word
from .search_synonyms import OTHERS

_FORMS = ("er", "or", "e", "able", "al", "ance", "ence", "ure", "ship", "y", "iv")
"""What may follow a stem in a word that is close to it: reviewer, inspector, assignee, failure."""

_HALF = 4
"""Letters of the shortest half of a word that is taken for two."""

_SHORTEST = 4
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
