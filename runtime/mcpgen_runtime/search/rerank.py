"""Reranks the best tools by how much of the question a tool covers, and by what else the tool
names."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from .query import DELETE, GET, LIST, IntentManner, SearchQuery, SearchTerm, intent_score
from .stemming import split_words, stem_word
from .synonyms import METHODS, SILENT

_COVERED, _LITERAL, _OBJECT = 0.7, 0.3, 0.04
_UNMENTIONED_NAME, _UNMENTIONED_TITLE, _UNMENTIONED_PATH = 0.25, 0.25, 0.2
_FIRST_WORD = 0.05
"""Shares of the score that depend on each criterion."""

_INTENT_SHARES = {IntentManner.ORDERED: 0.55, IntentManner.ASKED: 0.65, IntentManner.GUESSED: 0.6}
"""Share that depends on the intent, by the form of the question."""

_VERBATIM = 0.85
"""Minimum weight of a synonym that counts as the word itself."""

_FULL = 0.7
"""Share of a term's weight from which a tool covers the term fully."""

_UNKNOWN = 3.0
"""Weight of a term that no tool matches."""

_NAMED = 0.9
"""Fit of a tool whose name contains the verb, whatever the method; multiplied by the weight of a
synonym."""

_NOUN = 0.4
"""Fit of a read-only or deleting tool to another intent: the verb in the name is probably a noun,
as in `get_ban`."""

_PLACE = re.compile(r"\{[^{}]*\}$")
"""A parameter at the end of a path, which only shows that the path leads to an item."""

_READING = frozenset(("GET", "HEAD", "QUERY"))
_LOOKING = frozenset((GET, LIST))


@dataclass(frozen=True, slots=True)
class SearchCandidate:
    """A tool to rerank."""

    name: str
    title: str
    method: str
    path: str


@dataclass(frozen=True, slots=True)
class TermGain:
    """A term, the term's maximum weight, and the gain of each tool."""

    term: SearchTerm
    max_weight: float
    by_tool: Mapping[int, float]


class Reranker:
    """Scores candidates for one question. `rarity` gives the weight of a stem."""

    def __init__(
        self, question: SearchQuery, gains: list[TermGain], rarity: Callable[[str], float]
    ) -> None:
        self._gains = gains
        self._intents = question.intent.weights
        self._weight = _INTENT_SHARES[question.intent.manner]
        self._rarity = rarity
        self._query_stems = {stem for gain in gains for stem in gain.term.stems}
        self._total_weight = sum(gain.max_weight or _UNKNOWN for gain in gains)
        self._verb = next((gain.term for gain in gains if gain.term.is_verb), SearchTerm({}))
        self._object = next((gain.term for gain in gains if not gain.term.is_verb), SearchTerm({}))

    def fit(self, number: int, candidate: SearchCandidate) -> float:
        """The fit of a candidate, from 0 to 1, without the word scores."""
        name, title, path = (
            _stems(candidate.name),
            _stems(candidate.title),
            _stems(_PLACE.sub("", candidate.path)),
        )
        tool_stems = {*name, *title, *path}
        return (
            _weighted(_COVERED, self._covered_share(number))
            * _weighted(_LITERAL, self._literal_share(tool_stems))
            * _weighted(_UNMENTIONED_NAME, 1 - self._unmentioned_share(name))
            * _weighted(_UNMENTIONED_TITLE, 1 - self._unmentioned_share(title))
            * _weighted(_UNMENTIONED_PATH, 1 - self._unmentioned_share(path))
            * _weighted(self._weight, self._intent_fit(name, candidate))
            * _weighted(_FIRST_WORD, self._begins_with_verb([*title[:1], *name[:1]]))
            * _weighted(_OBJECT, self._path_end_fit(candidate.path))
        )

    def _literal_share(self, tool_stems: set[str]) -> float:
        """The weighted share of nouns that the tool names literally."""
        weights = {
            gain.term.stem: gain.max_weight or _UNKNOWN
            for gain in self._gains
            if not gain.term.is_verb and not gain.term.vague
        }
        matched = sum(
            weights[gain.term.stem]
            for gain in self._gains
            if gain.term.stem in weights
            and any(
                stem in tool_stems
                for stem, weight in gain.term.stems.items()
                if weight >= _VERBATIM
            )
        )
        return matched / (sum(weights.values()) or 1.0)

    def _begins_with_verb(self, stems: list[str]) -> float:
        """True if the tool's name or title begins with the verb of the question."""
        return max((self._verb.stems.get(stem, 0.0) >= _VERBATIM for stem in stems), default=0.0)

    def _covered_share(self, number: int) -> float:
        """The weighted share of the question that the tool covers."""
        covered = (
            min(gain.max_weight, gain.by_tool[number] / _FULL)
            for gain in self._gains
            if number in gain.by_tool
        )
        return sum(covered) / self._total_weight

    def _unmentioned_share(self, stems: list[str]) -> float:
        """The weighted share of a name, title or path that the question does not mention."""
        weights = {stem: self._rarity(stem) for stem in stems if stem not in METHODS}
        unmatched = sum(value for stem, value in weights.items() if stem not in self._query_stems)
        return unmatched / (sum(weights.values()) or 1.0)

    def _intent_fit(self, stems: list[str], candidate: SearchCandidate) -> float:
        """The fit of the tool's action to the intent."""
        request_fit = intent_score(self._intents, candidate.method, candidate.path)
        verb_weight = max((self._verb.stems.get(stem, 0.0) for stem in stems), default=0.0)
        intents = self._intents.keys()
        reads = candidate.method in _READING and not intents & _LOOKING
        deletes = candidate.method == "DELETE" and DELETE not in intents
        return max(request_fit, verb_weight * (_NOUN if reads or deletes else _NAMED))

    def _path_end_fit(self, path: str) -> float:
        """The fit of the last path segment to the first noun of the question."""
        fixed = [part for part in path.split("/") if part and not part.startswith("{")]
        last = set(map(stem_word, split_words(fixed[-1]))) if fixed else set()
        return max(
            (weight for stem, weight in self._object.stems.items() if stem in last), default=0
        )


def _stems(text: str) -> list[str]:
    """The distinct stems of a text, without stop words."""
    return list(dict.fromkeys(stem_word(word) for word in split_words(text) if word not in SILENT))


def _weighted(share: float, value: float) -> float:
    """A factor that depends on `value` with weight `share`."""
    return 1 - share + share * value
