"""Searches tools by keywords: an index of the tools' words, ranked by BM25F.

Offline, without a model, and deterministic. A word of the query is weighted by its rarity among the
tools, and matches a tool by itself or by a synonym. The score of a tool depends on the fields that
contain the word. `rerank` reorders the best tools. https://doi.org/10.1561/1500000019
"""

from __future__ import annotations

import math
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from heapq import nlargest

from .query import SearchQuery, SearchTerm, parse_query
from .rerank import Reranker, SearchCandidate, TermScores
from .stemming import split_words, stem_word, strip_tags
from .synonyms import INTENTS_BY_STEM, SILENT
from .vocabulary import Vocabulary, correct_spelling

_FIELDS = {
    "name": (3.0, 0.5),
    "title": (2.4, 0.5),
    "path": (1.4, 0.5),
    "tag": (1.2, 0.3),
    "tag_descriptions": (0.8, 0.6),
    "description": (0.7, 0.6),
    "arguments": (0.35, 0.6),
}
"""By field: the weight of a word, and how much a long field lowers the weight, from 0 to 1. BM25F
calls the second number b. Tuned with `benchmarks/search.py` of mcpgen, like all weights below."""

_SATURATION = 2.8
"""Saturation of repeated words, k1 in BM25F: a higher value gives repetitions more weight."""

_MAX_INTENT_VERB_WEIGHT = 2.4
"""Maximum weight of a verb with known intents, which the reranking compares with the method,
too."""

_MAX_VERB_WEIGHT = 4.0
"""Maximum weight of another verb."""

_MAX_VAGUE_WEIGHT = 1.4
"""Maximum weight of a word that fits tools of every subject."""

_MIN_SYNONYM_SCORE = 0.6
"""Minimum product of rarity and weight of a synonym: a synonym that occurs in most tools does not
tell the tools apart."""

_FREQUENT_TOOLS = 2000
"""A stem that occurs in more tools is frequent: `_score_term` may skip the stem to save time."""

_RERANKED = 60
"""Number of the best tools that are reranked."""


@dataclass(frozen=True, slots=True)
class SearchEntry:
    """The searched texts of a tool. Without a title, the first sentence of the description is used.
    `arguments` has one text per argument: name, description and enum values."""

    name: str
    title: str
    description: str
    method: str
    path: str
    tags: tuple[str, ...] = ()
    arguments: tuple[str, ...] = ()
    tag_descriptions: str = ""


@dataclass(frozen=True, slots=True)
class _Postings:
    """The tools with a stem by ascending number, and the BM25F score of the stem in each tool, from
    0 to 1 and without the rarity."""

    tools: array[int]
    scores: array[float]


class _EntryReader:
    """Splits entries into stems. `word_counts` counts the words, for the correction of spelling: a
    text of arguments or tags that several entries share counts once, and stop words only in
    names."""

    def __init__(self) -> None:
        self.word_counts: Counter[str] = Counter()
        self._stems_by_text: dict[str, list[str]] = {}

    def stems_by_field(self, entry: SearchEntry) -> dict[str, list[str]]:
        """The stems of each field: of names without repetition, of sentences without stop words."""
        return {
            "name": self._distinct_stems(entry.name),
            "title": self._distinct_stems(_title(entry)),
            "path": self._distinct_stems(entry.path),
            "tag": self._distinct_stems(" ".join(entry.tags)),
            "tag_descriptions": self._cached_stems(entry.tag_descriptions),
            "description": self._content_stems(strip_tags(entry.description)),
            "arguments": [stem for text in entry.arguments for stem in self._cached_stems(text)],
        }

    def _distinct_stems(self, text: str) -> list[str]:
        words = split_words(text)
        self.word_counts.update(words)
        return list(dict.fromkeys(map(stem_word, words)))

    def _cached_stems(self, text: str) -> list[str]:
        """The stems of a text that many entries share, split once."""
        if text not in self._stems_by_text:
            self._stems_by_text[text] = self._content_stems(text)
        return self._stems_by_text[text]

    def _content_stems(self, text: str) -> list[str]:
        words = [word for word in split_words(text) if word not in SILENT]
        self.word_counts.update(words)
        return [stem_word(word) for word in words]


class ToolSearch:
    """An index of tools, built once. A tool's number is the position of the entry, from 0."""

    def __init__(self, entries: Iterable[SearchEntry]) -> None:
        self._candidates: list[SearchCandidate] = []
        self._postings: dict[str, _Postings] = {}
        reader = _EntryReader()
        fields = []
        for entry in entries:
            self._candidates.append(
                SearchCandidate(entry.name, _title(entry), entry.method, entry.path)
            )
            fields.append(reader.stems_by_field(entry))
        # At least 1: a field may be empty in every tool, and `_add` divides by the length.
        average_lengths = {
            name: max(1.0, sum(len(stems[name]) for stems in fields) / max(1, len(fields)))
            for name in _FIELDS
        }
        for number, stems in enumerate(fields):
            self._add(number, stems, average_lengths)
        word_counts = reader.word_counts
        self._vocabulary = Vocabulary(
            self._postings.__contains__, lambda word: correct_spelling(word, word_counts)
        )

    def _add(
        self,
        number: int,
        fields: Mapping[str, list[str]],
        average_lengths: Mapping[str, float],
    ) -> None:
        """Adds a tool to the postings of each stem."""
        weights: dict[str, float] = {}
        for name, stems in fields.items():
            field_weight, penalty = _FIELDS[name]
            weight = field_weight / (1 - penalty + penalty * len(stems) / average_lengths[name])
            for stem in stems:
                weights[stem] = weights.get(stem, 0.0) + weight
        for stem, weight in weights.items():
            postings = self._postings.get(stem)
            if postings is None:
                postings = self._postings[stem] = _Postings(array("I"), array("f"))
            postings.tools.append(number)
            postings.scores.append(weight / (weight + _SATURATION))

    def best(
        self, query: str, limit: int, accept: Callable[[int], bool] | None = None
    ) -> list[int]:
        """The numbers of the best tools, best first, at most `limit` and at most `_RERANKED`; empty
        if no tool matches a word. `accept` returns False for the number of a tool to leave out."""
        parsed_query = parse_query(query, self._vocabulary)
        term_scores, scores = self._score(parsed_query)
        numbers = filter(accept, scores) if accept else scores
        candidates = _highest(numbers, scores)
        reranker = Reranker(parsed_query, term_scores, self._rarity)
        fits = {
            number: scores[number] * reranker.fit(number, self._candidates[number])
            for number in candidates
        }
        return sorted(candidates, key=lambda number: (-fits[number], number))[:limit]

    def _score(self, query: SearchQuery) -> tuple[list[TermScores], dict[int, float]]:
        """The scores of the tools, by term and in total. A verb is scored after the nouns. If the
        verb has known intents, the method of a tool shows whether the verb fits, so the verb weighs
        at most as much as the heaviest noun, and frequent stems of the verb are skipped."""
        term_scores: list[TermScores] = []
        totals: dict[int, float] = {}
        query_stems = {term.stem for term in query.terms}
        for term in sorted(query.terms, key=lambda term: term.is_verb):
            max_weight = self._max_weight(term)
            follows_nouns = bool(totals) and term.is_verb and term.stem in INTENTS_BY_STEM
            if follows_nouns:
                max_weight = min(max_weight, max(scores.max_weight for scores in term_scores))
            scores = self._score_term(term, query_stems, max_weight, skips_frequent=follows_nouns)
            term_scores.append(scores)
            if not totals:
                totals = dict(scores.by_tool)
                continue
            for number, score in scores.by_tool.items():
                totals[number] = totals.get(number, 0.0) + score
        return term_scores, totals

    def _score_term(
        self, term: SearchTerm, query_stems: set[str], max_weight: float, *, skips_frequent: bool
    ) -> TermScores:
        """The score of each tool for a term: the best score among the term's stems. With
        `skips_frequent`, frequent stems are skipped."""
        by_tool: dict[int, float] = {}
        term_weight = 0.0
        for stem, stem_weight in term.stems.items():
            stem_rarity = min(max_weight, self._rarity(stem))
            term_weight = max(term_weight, stem_rarity)
            factor = stem_rarity * stem_weight
            postings = self._postings[stem]
            is_frequent = len(postings.tools) > _FREQUENT_TOOLS
            if is_frequent and skips_frequent:
                continue
            # A frequent synonym adds little to the stems before, or is scored as a term of its own.
            is_redundant = is_frequent and (by_tool or stem in query_stems)
            if stem_weight < 1.0 and (factor < _MIN_SYNONYM_SCORE or is_redundant):
                continue
            scores = zip(postings.tools, postings.scores, strict=True)
            if not by_tool:
                by_tool = {number: factor * score for number, score in scores}
                continue
            for number, stem_score in scores:
                score = factor * stem_score
                if score > by_tool.get(number, 0.0):
                    by_tool[number] = score
        return TermScores(term, term_weight, by_tool)

    def _max_weight(self, term: SearchTerm) -> float:
        """The maximum weight of a term: a rarer synonym must not outweigh the written word."""
        max_weight = self._rarity(term.stem) if term.stem in term.stems else math.inf
        if term.is_vague:
            return min(max_weight, _MAX_VAGUE_WEIGHT)
        if term.is_verb:
            has_intents = term.stem in INTENTS_BY_STEM
            return min(max_weight, _MAX_INTENT_VERB_WEIGHT if has_intents else _MAX_VERB_WEIGHT)
        return max_weight

    def _rarity(self, stem: str) -> float:
        """The inverse document frequency of a stem, at least 0; 0 for a stem of no tool."""
        if stem not in self._postings:
            return 0.0
        total, count = len(self._candidates), len(self._postings[stem].tools)
        return math.log(1 + (total - count + 0.5) / (count + 0.5))


def _title(entry: SearchEntry) -> str:
    """The title of a tool, by default the first sentence of the description."""
    return entry.title or strip_tags(entry.description).partition(". ")[0]


def _highest(numbers: Iterable[int], scores: Mapping[int, float]) -> list[int]:
    """The `_RERANKED` tools with the highest scores, equal scores by number."""
    candidates = list(numbers)
    # Faster than sorting all candidates, of which there may be thousands.
    best_scores = nlargest(_RERANKED, map(scores.__getitem__, candidates))
    high = (
        [number for number in candidates if scores[number] >= best_scores[-1]]
        if best_scores
        else []
    )
    return sorted(high, key=lambda number: (-scores[number], number))[:_RERANKED]
