"""The search for a tool: words of a question against words of tools, ranked as BM25F does.

Offline, without a model, and the same at every run. A word of the question counts by how rare it
is, in the best of the forms that people use for it; a tool counts by the fields it stands in. The
few best are looked at again, by `judging`. https://doi.org/10.1561/1500000019
"""

from __future__ import annotations

import math
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from heapq import nlargest

from .query import SearchQuery, SearchTerm, parse_query
from .rerank import Reranker, SearchCandidate, TermGain
from .stemming import split_words, stem_word, strip_tags
from .synonyms import MARKS, SILENT
from .vocabulary import Vocabulary, correct_spelling

_FIELDS = {
    "name": (3.0, 0.5),
    "title": (2.4, 0.5),
    "path": (1.4, 0.5),
    "tag": (1.2, 0.3),
    "about": (0.8, 0.6),
    "text": (0.7, 0.6),
    "arguments": (0.35, 0.6),
}
"""What a word counts in each field, and how much, from 0 to 1, the length of the field counts
against it."""

_SATURATION = 2.8
"""How soon more of the same word stops to count more."""

_VERB, _ACTION, _VAGUE = 2.4, 4.0, 1.4
"""The most that a verb is worth that says what requests do; that another is; that a vague word is."""

_NEGLIGIBLE = 0.6
"""What a form of a term must be worth to be looked for: what stands in most tools tells nothing."""

_MANY = 2000
"""How many tools have a stem that is not looked for twice in one question."""

_AGAIN = 60
"""How many of the best are looked at again."""


@dataclass(frozen=True, slots=True)
class SearchEntry:
    """What the search reads of one tool; the first sentence of its description is its title where it
    has none. `arguments` says of each its name, what it is, its values; `about` is what is said of its
    tags."""

    name: str
    title: str
    description: str
    method: str
    path: str
    tags: tuple[str, ...] = ()
    arguments: tuple[str, ...] = ()
    about: str = ""


@dataclass(frozen=True, slots=True)
class _Postings:
    """The tools that a stem stands in, by number and in order, and what it counts there."""

    tools: array[int]
    counts: array[float]


class _Reading:
    """How entries are read: `spoken` counts the words; what many arguments say is read once."""

    def __init__(self) -> None:
        self.spoken: Counter[str] = Counter()
        self._read: dict[str, list[str]] = {}

    def fields(self, entry: SearchEntry) -> dict[str, list[str]]:
        """The stems of each field: of a name each once, of sentences those that say something."""
        return {
            "name": self._name(entry.name),
            "title": self._name(_title(entry)),
            "path": self._name(entry.path),
            "tag": self._name(" ".join(entry.tags)),
            "about": self._repeated(entry.about),
            "text": self._sentences(strip_tags(entry.description)),
            "arguments": [one for text in entry.arguments for one in self._repeated(text)],
        }

    def _name(self, text: str) -> list[str]:
        spoken = split_words(text)
        self.spoken.update(spoken)
        return list(dict.fromkeys(map(stem_word, spoken)))

    def _repeated(self, text: str) -> list[str]:
        if text not in self._read:
            self._read[text] = self._sentences(text)
        return self._read[text]

    def _sentences(self, text: str) -> list[str]:
        spoken = [word for word in split_words(text) if word not in SILENT]
        self.spoken.update(spoken)
        return [stem_word(word) for word in spoken]


class ToolSearch:
    """An index of tools; made once, then asked. A tool is known by its number."""

    def __init__(self, entries: Iterable[SearchEntry]) -> None:
        self._candidates: list[SearchCandidate] = []
        self._postings: dict[str, _Postings] = {}
        reading = _Reading()
        fields = []
        for entry in entries:
            self._candidates.append(
                SearchCandidate(entry.name, _title(entry), entry.method, entry.path)
            )
            fields.append(reading.fields(entry))
        average = {
            name: max(1.0, sum(len(one[name]) for one in fields) / max(1, len(fields)))
            for name in _FIELDS
        }
        for number, one in enumerate(fields):
            self._add(number, one, average)
        spoken = reading.spoken
        self._vocabulary = Vocabulary(
            self._postings.__contains__, lambda word: correct_spelling(word, spoken)
        )

    def _add(
        self, number: int, fields: Mapping[str, list[str]], average: Mapping[str, float]
    ) -> None:
        counts: dict[str, float] = {}
        for name, stems in fields.items():
            weight, share = _FIELDS[name]
            each = weight / (1 - share + share * len(stems) / average[name])
            for one in stems:
                counts[one] = counts.get(one, 0.0) + each
        for one, count in counts.items():
            postings = self._postings.get(one)
            if postings is None:
                postings = self._postings[one] = _Postings(array("I"), array("f"))
            postings.tools.append(number)
            postings.counts.append(count / (count + _SATURATION))

    def best(
        self, question: str, most: int, among: Callable[[int], bool] | None = None
    ) -> list[int]:
        """The tools that fit the question best, the best first; among some of them, if told."""
        asked = parse_query(question, self._vocabulary)
        gains, scores = self._gains(asked)
        numbers = filter(among, scores) if among else scores
        first = _highest(numbers, scores)
        judge = Reranker(asked, gains, self._rarity)
        judged = {
            number: scores[number] * judge.fit(number, self._candidates[number]) for number in first
        }
        return sorted(first, key=lambda number: (-judged[number], number))[:most]

    def _gains(self, asked: SearchQuery) -> tuple[list[TermGain], dict[int, float]]:
        """What each tool gains from each term, and in sum. What to do with a thing counts no more
        than the thing."""
        gains: list[TermGain] = []
        scores: dict[int, float] = {}
        written = {term.written for term in asked.terms}
        for term in sorted(asked.terms, key=lambda term: term.is_verb):
            top = self._top(term)
            only_rare = bool(scores) and term.is_verb and term.written in MARKS
            if only_rare:
                top = min(top, max(gain.worth for gain in gains))
            gain = self._gain(term, written, top, only_rare)
            gains.append(gain)
            if not scores:
                scores = dict(gain.by_tool)
                continue
            for number, gained in gain.by_tool.items():
                scores[number] = scores.get(number, 0.0) + gained
        return gains, scores

    def _gain(self, term: SearchTerm, written: set[str], top: float, only_rare: bool) -> TermGain:
        """What each tool gains from a term: by the best of its forms. One that many have, and is
        `written` itself in the question, speaks for itself; a verb that many have says no more than
        their requests do."""
        gained: dict[int, float] = {}
        worth = 0.0
        for one, weight in term.stems.items():
            value = min(top, self._rarity(one))
            worth = max(worth, value)
            factor = value * weight
            postings = self._postings[one]
            many = len(postings.tools) > _MANY
            told = many and (gained or one in written)
            if (many and only_rare) or (weight < 1.0 and (factor < _NEGLIGIBLE or told)):
                continue
            each = zip(postings.tools, postings.counts, strict=True)
            if not gained:
                gained = {number: factor * count for number, count in each}
                continue
            for number, count in each:
                gain = factor * count
                if gain > gained.get(number, 0.0):
                    gained[number] = gain
        return TermGain(term, worth, gained)

    def _top(self, term: SearchTerm) -> float:
        """The most that a form of the term may be worth: what was written is not outdone by a
        rarer word for the same."""
        top = self._rarity(term.written) if term.written in term.stems else math.inf
        if term.vague:
            return min(top, _VAGUE)
        if term.is_verb:
            return min(top, _VERB if term.written in MARKS else _ACTION)
        return top

    def _rarity(self, one: str) -> float:
        """What a stem is worth: the more, the fewer tools have it; 0 if none has."""
        if one not in self._postings:
            return 0.0
        many, here = len(self._candidates), len(self._postings[one].tools)
        return math.log(1 + (many - here + 0.5) / (here + 0.5))


def _title(entry: SearchEntry) -> str:
    return entry.title or strip_tags(entry.description).partition(". ")[0]


def _highest(numbers: Iterable[int], scores: Mapping[int, float]) -> list[int]:
    """The tools that are looked at again, the highest score first and then the first tool."""
    kept = list(numbers)
    least = nlargest(_AGAIN, map(scores.__getitem__, kept))
    high = [number for number in kept if scores[number] >= least[-1]] if least else []
    return sorted(high, key=lambda number: (-scores[number], number))[:_AGAIN]
