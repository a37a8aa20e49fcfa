"""A question as the terms that a search looks for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from .deeds import ORDER, QUESTION
from .synonyms import OTHERS, PHRASES, SILENT, VERBS
from .words import listed, singular, stem, words

_FORMS = ("er", "or", "e", "able", "al")
"""What may follow a stem in a word that is close to it: reviewer, inspector, assignee."""

_FORM = 0.75
"""What such a word counts."""

_CORRECTED = 0.85
"""What a word counts that was probably meant by one that no tool has."""

_LONGEST = 24
"""How many terms of a question are looked for."""

_ASKING = listed("what which who whose whom where when why is are does has have")
"""Words that begin a question, after which no verb is an order."""

_OBJECTS = listed(
    "a an the my our your this these those to all every some somebody someone it on off out up "
    "down back"
)
"""Words that follow a verb in an order, and seldom a noun that stands first."""


@dataclass(frozen=True, slots=True)
class Term:
    """Something that is asked for: the known stems that say it, the one that was written first, and
    how much each counts. `wanted` are the marks of a verb, which says what to do and not with what;
    a term is `tacit` when nobody said it."""

    stems: Mapping[str, float]
    wanted: Mapping[str, float] = field(default_factory=dict)
    tacit: bool = False
    written: str = ""

    @property
    def plain(self) -> bool:
        """Whether it is a verb that says no more than what its marks say."""
        return any(mark in self.stems for mark in self.wanted)


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Whether any tool has a stem, and which words of tools somebody meant who wrote another."""

    has: Callable[[str], bool]
    meant: Callable[[str], tuple[str, ...]]

    def stems(self, word: str, marks: bool) -> dict[str, float]:
        """The known stems that may stand for a word, itself first."""
        one = stem(word)
        found = {one: 1.0, **OTHERS.get(one, {})}
        for ending in _FORMS:
            found.setdefault(one + ending, _FORM)
        if not any(self.has(other) for other in found):
            for other in map(stem, self.meant(word)):
                found[other] = _CORRECTED
                for further, weight in OTHERS.get(other, {}).items():
                    found.setdefault(further, weight * _CORRECTED)
        return {
            other: weight
            for other, weight in found.items()
            if self.has(other) and (marks or not other.startswith("+"))
        }


def terms(question: str, vocabulary: Vocabulary) -> list[Term]:
    """What the question asks for, in its order and each once; with the verb that it goes without."""
    written = words(question)
    asks = bool(_ASKING.intersection(written[:1]))
    found: dict[str, Term] = {}
    for word in _said(written):
        one = stem(word)
        is_verb = not (found or asks) and one in VERBS and singular(word) == word
        if one not in found and len(found) < _LONGEST:
            stems = vocabulary.stems(word, marks=is_verb)
            asked_for = {mark: weight for mark, weight in stems.items() if mark.startswith("+")}
            found[one] = Term(stems, (asked_for or ORDER) if is_verb else {}, written=one)
    asked = list(found.values())
    if not (asked and asked[0].wanted):
        wanted = ORDER if _is_order(written) else QUESTION
        stems = {mark: weight for mark, weight in wanted.items() if vocabulary.has(mark)}
        asked.append(Term(stems, wanted, tacit=not asks))
    return asked


def _is_order(written: list[str]) -> bool:
    """Whether it begins as one says what to do: with a word for it, then an article or the like."""
    return len(written) > 1 and written[0] not in SILENT and written[1] in _OBJECTS


def _said(written: list[str]) -> Iterator[str]:
    """The words that say something, with phrases put in words of APIs; all if none does."""
    spoken = [word for word in _translated(written) if word not in SILENT]
    yield from spoken or written


def _translated(written: list[str]) -> Iterator[str]:
    at = 0
    while at < len(written):
        length = 2 if tuple(written[at : at + 2]) in PHRASES else 1
        phrase = tuple(written[at : at + length])
        yield from PHRASES[phrase].split() if phrase in PHRASES else phrase
        at += length
