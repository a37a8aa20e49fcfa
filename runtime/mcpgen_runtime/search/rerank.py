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
_BESIDE_NAME, _BESIDE_TITLE, _BESIDE_PATH = 0.25, 0.25, 0.2
_SAME = 0.05
"""Shares of the score that depend on each criterion."""

_DEED = {IntentManner.ORDERED: 0.55, IntentManner.ASKED: 0.65, IntentManner.GUESSED: 0.6}
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
    worth: float
    by_tool: Mapping[int, float]


class Reranker:
    """Scores candidates for one question. `rarity` gives the weight of a stem."""

    def __init__(
        self, question: SearchQuery, gains: list[TermGain], rarity: Callable[[str], float]
    ) -> None:
        self._gains = gains
        self._wanted = question.wish.marks
        self._weight = _DEED[question.wish.manner]
        self._rarity = rarity
        self._asked = {one for gain in gains for one in gain.term.stems}
        self._worth = sum(gain.worth or _UNKNOWN for gain in gains)
        self._verb = next((gain.term for gain in gains if gain.term.is_verb), SearchTerm({}))
        self._object = next((gain.term for gain in gains if not gain.term.is_verb), SearchTerm({}))

    def fit(self, number: int, candidate: SearchCandidate) -> float:
        """The fit of a candidate, from 0 to 1, without the word scores."""
        named, titled, path = (
            _stems(candidate.name),
            _stems(candidate.title),
            _stems(_PLACE.sub("", candidate.path)),
        )
        said = {*named, *titled, *path}
        return (
            _part(_COVERED, self._covered(number))
            * _part(_LITERAL, self._literal(said))
            * _part(_BESIDE_NAME, 1 - self._beside(named))
            * _part(_BESIDE_TITLE, 1 - self._beside(titled))
            * _part(_BESIDE_PATH, 1 - self._beside(path))
            * _part(self._weight, self._agreed(named, candidate))
            * _part(_SAME, self._same([*titled[:1], *named[:1]]))
            * _part(_OBJECT, self._ends(candidate.path))
        )

    def _literal(self, said: set[str]) -> float:
        """The weighted share of nouns that the tool names literally."""
        worth = {
            gain.term.written: gain.worth or _UNKNOWN
            for gain in self._gains
            if not gain.term.is_verb and not gain.term.vague
        }
        found = sum(
            worth[gain.term.written]
            for gain in self._gains
            if gain.term.written in worth
            and any(one in said for one, weight in gain.term.stems.items() if weight >= _VERBATIM)
        )
        return found / (sum(worth.values()) or 1.0)

    def _same(self, first: list[str]) -> float:
        """True if the tool's name or title begins with the verb of the question."""
        return max((self._verb.stems.get(one, 0.0) >= _VERBATIM for one in first), default=0.0)

    def _covered(self, number: int) -> float:
        """The weighted share of the question that the tool covers."""
        found = (
            min(gain.worth, gain.by_tool[number] / _FULL)
            for gain in self._gains
            if number in gain.by_tool
        )
        return sum(found) / self._worth

    def _beside(self, named: list[str]) -> float:
        """The weighted share of a name, title or path that the question does not mention."""
        worth = {one: self._rarity(one) for one in named if one not in METHODS}
        rest = sum(value for one, value in worth.items() if one not in self._asked)
        return rest / (sum(worth.values()) or 1.0)

    def _agreed(self, named: list[str], candidate: SearchCandidate) -> float:
        """The fit of the tool's action to the intent."""
        agreed = intent_score(self._wanted, candidate.method, candidate.path)
        said = max((self._verb.stems.get(one, 0.0) for one in named), default=0.0)
        wanted = self._wanted.keys()
        reads = candidate.method in _READING and not wanted & _LOOKING
        deletes = candidate.method == "DELETE" and DELETE not in wanted
        return max(agreed, said * (_NOUN if reads or deletes else _NAMED))

    def _ends(self, path: str) -> float:
        """The fit of the last path segment to the first noun of the question."""
        fixed = [part for part in path.split("/") if part and not part.startswith("{")]
        last = set(map(stem_word, split_words(fixed[-1]))) if fixed else set()
        return max((weight for one, weight in self._object.stems.items() if one in last), default=0)


def _stems(text: str) -> list[str]:
    """The distinct stems of a text, without stop words."""
    return list(dict.fromkeys(stem_word(word) for word in split_words(text) if word not in SILENT))


def _part(share: float, value: float) -> float:
    """A factor that depends on `value` with weight `share`."""
    return 1 - share + share * value
