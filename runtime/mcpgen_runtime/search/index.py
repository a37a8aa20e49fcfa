"""Searches tools: matches words of a question with words of tools, ranked by BM25F.

Offline, without a model, and deterministic. A word of the question is weighted by rarity, using the
best of the word's synonyms; a tool scores by the fields with the word. `rerank` reorders the best
tools. https://doi.org/10.1561/1500000019
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
"""By field: the weight of a word, and from 0 to 1 the penalty for the length of the field."""

_SATURATION = 2.8
"""Saturation of repeated words in BM25F; higher values saturate later."""

_VERB, _ACTION, _VAGUE = 2.4, 4.0, 1.4
"""Maximum weights of a verb with a known method, of another verb, and of a vague word."""

_NEGLIGIBLE = 0.6
"""Minimum weight of a synonym: words in most tools carry no information."""

_MANY = 2000
"""A stem in more tools is evaluated only once per question."""

_AGAIN = 60
"""Number of the best tools that are reranked."""


@dataclass(frozen=True, slots=True)
class SearchEntry:
    """The searched texts of a tool; without a title, the first sentence of the description is used.
    `arguments` has name, description and values of each argument; `about` has the descriptions of
    the tags."""

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
    """Tools with a stem, in order, and the stem's score in each tool."""

    tools: array[int]
    counts: array[float]


class _Reading:
    """Splits entries into stems; `spoken` counts the words. Repeated argument texts are split
    once."""

    def __init__(self) -> None:
        self.spoken: Counter[str] = Counter()
        self._read: dict[str, list[str]] = {}

    def fields(self, entry: SearchEntry) -> dict[str, list[str]]:
        """The stems by field: names without repetition, sentences without stop words."""
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
    """An index of tools, built once. Tools are numbered in order."""

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
        """The best tools for a question, best first; `among` filters the tools."""
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
        """The gain of each tool by term, and in total. A verb weighs at most as much as the most
        valuable noun."""
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
        """The gain of each tool from a term, by the best synonym. A frequent synonym that is a
        separate word of the question (`written`) is skipped, and so is a frequent verb, whose
        meaning the request method already gives."""
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
        """The maximum weight of a term: a rarer synonym must not outweigh the written word."""
        top = self._rarity(term.written) if term.written in term.stems else math.inf
        if term.vague:
            return min(top, _VAGUE)
        if term.is_verb:
            return min(top, _VERB if term.written in MARKS else _ACTION)
        return top

    def _rarity(self, one: str) -> float:
        """The inverse document frequency of a stem; 0 if unknown."""
        if one not in self._postings:
            return 0.0
        many, here = len(self._candidates), len(self._postings[one].tools)
        return math.log(1 + (many - here + 0.5) / (here + 0.5))


def _title(entry: SearchEntry) -> str:
    return entry.title or strip_tags(entry.description).partition(". ")[0]


def _highest(numbers: Iterable[int], scores: Mapping[int, float]) -> list[int]:
    """The tools to rerank, by score and then by number."""
    kept = list(numbers)
    least = nlargest(_AGAIN, map(scores.__getitem__, kept))
    high = [number for number in kept if scores[number] >= least[-1]] if least else []
    return sorted(high, key=lambda number: (-scores[number], number))[:_AGAIN]
