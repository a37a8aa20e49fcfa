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
from .synonyms import INTENTS_BY_STEM, SILENT
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

_FREQUENT = 2000
"""A stem in more tools is evaluated only once per question."""

_RERANKED = 60
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


class _EntryReader:
    """Splits entries into stems; `word_counts` counts the words. Repeated argument texts are split
    once."""

    def __init__(self) -> None:
        self.word_counts: Counter[str] = Counter()
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
            "arguments": [stem for text in entry.arguments for stem in self._repeated(text)],
        }

    def _name(self, text: str) -> list[str]:
        words = split_words(text)
        self.word_counts.update(words)
        return list(dict.fromkeys(map(stem_word, words)))

    def _repeated(self, text: str) -> list[str]:
        if text not in self._read:
            self._read[text] = self._sentences(text)
        return self._read[text]

    def _sentences(self, text: str) -> list[str]:
        words = [word for word in split_words(text) if word not in SILENT]
        self.word_counts.update(words)
        return [stem_word(word) for word in words]


class ToolSearch:
    """An index of tools, built once. Tools are numbered in order."""

    def __init__(self, entries: Iterable[SearchEntry]) -> None:
        self._candidates: list[SearchCandidate] = []
        self._postings: dict[str, _Postings] = {}
        reading = _EntryReader()
        fields = []
        for entry in entries:
            self._candidates.append(
                SearchCandidate(entry.name, _title(entry), entry.method, entry.path)
            )
            fields.append(reading.fields(entry))
        average = {
            name: max(1.0, sum(len(stems[name]) for stems in fields) / max(1, len(fields)))
            for name in _FIELDS
        }
        for number, stems in enumerate(fields):
            self._add(number, stems, average)
        word_counts = reading.word_counts
        self._vocabulary = Vocabulary(
            self._postings.__contains__, lambda word: correct_spelling(word, word_counts)
        )

    def _add(
        self, number: int, fields: Mapping[str, list[str]], average: Mapping[str, float]
    ) -> None:
        counts: dict[str, float] = {}
        for name, stems in fields.items():
            weight, share = _FIELDS[name]
            increment = weight / (1 - share + share * len(stems) / average[name])
            for stem in stems:
                counts[stem] = counts.get(stem, 0.0) + increment
        for stem, count in counts.items():
            postings = self._postings.get(stem)
            if postings is None:
                postings = self._postings[stem] = _Postings(array("I"), array("f"))
            postings.tools.append(number)
            postings.counts.append(count / (count + _SATURATION))

    def best(
        self, question: str, limit: int, accept: Callable[[int], bool] | None = None
    ) -> list[int]:
        """The best tools for a question, best first; `accept` filters the tools."""
        query = parse_query(question, self._vocabulary)
        gains, scores = self._gains(query)
        numbers = filter(accept, scores) if accept else scores
        first = _highest(numbers, scores)
        reranker = Reranker(query, gains, self._rarity)
        fits = {
            number: scores[number] * reranker.fit(number, self._candidates[number])
            for number in first
        }
        return sorted(first, key=lambda number: (-fits[number], number))[:limit]

    def _gains(self, query: SearchQuery) -> tuple[list[TermGain], dict[int, float]]:
        """The gain of each tool by term, and in total. A verb weighs at most as much as the most
        valuable noun."""
        gains: list[TermGain] = []
        scores: dict[int, float] = {}
        question_stems = {term.stem for term in query.terms}
        for term in sorted(query.terms, key=lambda term: term.is_verb):
            max_weight = self._max_weight(term)
            only_rare = bool(scores) and term.is_verb and term.stem in INTENTS_BY_STEM
            if only_rare:
                max_weight = min(max_weight, max(gain.max_weight for gain in gains))
            gain = self._gain(term, question_stems, max_weight, only_rare)
            gains.append(gain)
            if not scores:
                scores = dict(gain.by_tool)
                continue
            for number, gained in gain.by_tool.items():
                scores[number] = scores.get(number, 0.0) + gained
        return gains, scores

    def _gain(
        self, term: SearchTerm, question_stems: set[str], top: float, only_rare: bool
    ) -> TermGain:
        """The gain of each tool from a term, by the best synonym. A frequent synonym that is a
        separate word of the question (in `question_stems`) is skipped, and so is a frequent verb,
        whose meaning the request method already gives."""
        gains: dict[int, float] = {}
        max_weight = 0.0
        for stem, weight in term.stems.items():
            value = min(top, self._rarity(stem))
            max_weight = max(max_weight, value)
            factor = value * weight
            postings = self._postings[stem]
            is_frequent = len(postings.tools) > _FREQUENT
            is_redundant = is_frequent and (gains or stem in question_stems)
            if (is_frequent and only_rare) or (
                weight < 1.0 and (factor < _NEGLIGIBLE or is_redundant)
            ):
                continue
            scores = zip(postings.tools, postings.counts, strict=True)
            if not gains:
                gains = {number: factor * count for number, count in scores}
                continue
            for number, count in scores:
                gain = factor * count
                if gain > gains.get(number, 0.0):
                    gains[number] = gain
        return TermGain(term, max_weight, gains)

    def _max_weight(self, term: SearchTerm) -> float:
        """The maximum weight of a term: a rarer synonym must not outweigh the written word."""
        top = self._rarity(term.stem) if term.stem in term.stems else math.inf
        if term.vague:
            return min(top, _VAGUE)
        if term.is_verb:
            return min(top, _VERB if term.stem in INTENTS_BY_STEM else _ACTION)
        return top

    def _rarity(self, stem: str) -> float:
        """The inverse document frequency of a stem; 0 if unknown."""
        if stem not in self._postings:
            return 0.0
        total, count = len(self._candidates), len(self._postings[stem].tools)
        return math.log(1 + (total - count + 0.5) / (count + 0.5))


def _title(entry: SearchEntry) -> str:
    return entry.title or strip_tags(entry.description).partition(". ")[0]


def _highest(numbers: Iterable[int], scores: Mapping[int, float]) -> list[int]:
    """The tools to rerank, by score and then by number."""
    candidates = list(numbers)
    best_scores = nlargest(_RERANKED, map(scores.__getitem__, candidates))
    high = (
        [number for number in candidates if scores[number] >= best_scores[-1]]
        if best_scores
        else []
    )
    return sorted(high, key=lambda number: (-scores[number], number))[:_RERANKED]
