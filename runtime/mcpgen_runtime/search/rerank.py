"""Reranks the best tools: how much of the query a tool covers, what else the tool names, and how
well the tool's action fits the intents of the query."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from .query import DELETE, GET, LIST, IntentEvidence, SearchQuery, SearchTerm, intent_score
from .stemming import split_words, stem_word
from .synonyms import METHODS, SILENT

_COVERED_SHARE = 0.7
_LITERAL_SHARE = 0.3
_UNMENTIONED_NAME_SHARE = 0.25
_UNMENTIONED_TITLE_SHARE = 0.25
_UNMENTIONED_PATH_SHARE = 0.2
_FIRST_WORD_SHARE = 0.05
_PATH_END_SHARE = 0.04
_INTENT_SHARES = {
    IntentEvidence.VERB: 0.55,
    IntentEvidence.QUESTION: 0.65,
    IntentEvidence.GUESS: 0.6,
}
"""Influence of each criterion: a tool that does not fit the criterion at all loses this share of
the score. The shares do not add up to 1, because the criteria are multiplied."""

_MIN_LITERAL_WEIGHT = 0.85
"""Minimum weight of a matching stem that counts as the written word itself: spelling variants,
derived and corrected words, but no synonyms."""

_FULL_COVERAGE = 0.7
"""A tool with this share of a term's maximum weight covers the term fully."""

_UNMATCHED_WEIGHT = 3.0
"""Weight of a term that no tool matches; the rarity of a word that one of 20 tools has."""

_NAMED_VERB_FIT = 0.9
"""Fit of a tool whose name contains the verb of the query, whatever the method and path. Multiplied
by the weight of a synonym, as is `_NAMED_NOUN_FIT`."""

_NAMED_NOUN_FIT = 0.4
"""Fit of such a tool if the method contradicts the intents: the word in the name is probably a
noun, as in `get_ban` for the query `ban a user`."""

_LAST_PARAMETER = re.compile(r"\{[^{}]*\}$")
"""A parameter at the end of a path. The name of the parameter only identifies an item."""

_READING_METHODS = frozenset(("GET", "HEAD", "QUERY"))
_READING_INTENTS = frozenset((GET, LIST))


@dataclass(frozen=True, slots=True)
class SearchCandidate:
    """The texts of a tool by which the tool is reranked."""

    name: str
    title: str
    method: str
    path: str


@dataclass(frozen=True, slots=True)
class TermScores:
    """The score of each tool for a term, by tool number. `max_weight` is the weight of the term,
    the upper bound of the scores; 0 if no tool matches."""

    term: SearchTerm
    max_weight: float
    by_tool: Mapping[int, float]


class Reranker:
    """Computes how well tools fit a query. `rarity` returns the rarity of a stem, 0 for a stem of
    no tool."""

    def __init__(
        self, query: SearchQuery, term_scores: list[TermScores], rarity: Callable[[str], float]
    ) -> None:
        terms = [scores.term for scores in term_scores]
        self._term_scores = term_scores
        self._intents = query.intent.likelihoods
        self._intent_share = _INTENT_SHARES[query.intent.evidence]
        self._rarity = rarity
        self._query_stems = {stem for term in terms for stem in term.stems}
        self._total_weight = sum(scores.max_weight or _UNMATCHED_WEIGHT for scores in term_scores)
        self._verb = next((term for term in terms if term.is_verb), SearchTerm({}))
        self._first_noun = next((term for term in terms if not term.is_verb), SearchTerm({}))

    def fit(self, number: int, candidate: SearchCandidate) -> float:
        """The fit of a tool, from 0 to 1; a factor for the BM25F score."""
        name, title, path = (
            _stems(candidate.name),
            _stems(candidate.title),
            _stems(_LAST_PARAMETER.sub("", candidate.path)),
        )
        tool_stems = {*name, *title, *path}
        return (
            _factor(_COVERED_SHARE, self._covered_share(number))
            * _factor(_LITERAL_SHARE, self._literal_share(tool_stems))
            * _factor(_UNMENTIONED_NAME_SHARE, 1 - self._unmentioned_share(name))
            * _factor(_UNMENTIONED_TITLE_SHARE, 1 - self._unmentioned_share(title))
            * _factor(_UNMENTIONED_PATH_SHARE, 1 - self._unmentioned_share(path))
            * _factor(self._intent_share, self._intent_fit(name, candidate))
            * _factor(_FIRST_WORD_SHARE, self._has_verb([*title[:1], *name[:1]]))
            * _factor(_PATH_END_SHARE, self._path_end_fit(candidate.path))
        )

    def _literal_share(self, tool_stems: set[str]) -> float:
        """The weighted share of the query's nouns that the tool names literally."""
        nouns = [
            scores
            for scores in self._term_scores
            if not scores.term.is_verb and not scores.term.is_vague
        ]
        total = sum(scores.max_weight or _UNMATCHED_WEIGHT for scores in nouns)
        matched = sum(
            scores.max_weight or _UNMATCHED_WEIGHT
            for scores in nouns
            if any(
                stem in tool_stems
                for stem, weight in scores.term.stems.items()
                if weight >= _MIN_LITERAL_WEIGHT
            )
        )
        return matched / (total or 1.0)

    def _has_verb(self, stems: list[str]) -> bool:
        """True if the stems contain the verb of the query."""
        return any(self._verb.stems.get(stem, 0.0) >= _MIN_LITERAL_WEIGHT for stem in stems)

    def _covered_share(self, number: int) -> float:
        """The weighted share of the query that the tool covers."""
        covered = (
            min(scores.max_weight, scores.by_tool[number] / _FULL_COVERAGE)
            for scores in self._term_scores
            if number in scores.by_tool
        )
        return sum(covered) / self._total_weight

    def _unmentioned_share(self, stems: list[str]) -> float:
        """The share of a name, title or path, weighted by rarity, that the query does not
        mention."""
        weights = {stem: self._rarity(stem) for stem in stems if stem not in METHODS}
        unmatched = sum(value for stem, value in weights.items() if stem not in self._query_stems)
        return unmatched / (sum(weights.values()) or 1.0)

    def _intent_fit(self, name_stems: list[str], candidate: SearchCandidate) -> float:
        """The fit of the tool's action to the intents, by request or by a verb in the name."""
        request_fit = intent_score(self._intents, candidate.method, candidate.path)
        verb_weight = max((self._verb.stems.get(stem, 0.0) for stem in name_stems), default=0.0)
        intents = self._intents.keys()
        only_reads = candidate.method in _READING_METHODS and not intents & _READING_INTENTS
        only_deletes = candidate.method == "DELETE" and DELETE not in intents
        name_fit = _NAMED_NOUN_FIT if only_reads or only_deletes else _NAMED_VERB_FIT
        return max(request_fit, verb_weight * name_fit)

    def _path_end_fit(self, path: str) -> float:
        """The fit of the last path segment that is no parameter to the first noun of the query."""
        fixed = [part for part in path.split("/") if part and not part.startswith("{")]
        last = set(map(stem_word, split_words(fixed[-1]))) if fixed else set()
        return max(
            (weight for stem, weight in self._first_noun.stems.items() if stem in last), default=0
        )


def _stems(text: str) -> list[str]:
    """The distinct stems of a text, without stop words."""
    return list(dict.fromkeys(stem_word(word) for word in split_words(text) if word not in SILENT))


def _factor(share: float, value: float) -> float:
    """The factor of a criterion: 1 for `value` 1, and `1 - share` for `value` 0."""
    return 1 - share + share * value
