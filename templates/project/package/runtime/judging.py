"""The second look at the best tools: how much of the question they answer, and what beside it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from .asking import Term
from .deeds import GET, LIST, agreement
from .synonyms import METHODS
from .words import stem, words

_COVERED, _BESIDE, _DEED, _GUESSED, _OBJECT = 0.6, 0.5, 0.6, 0.45, 0.07
"""How much of a score hangs on each question that is asked of a tool."""

_FULL = 0.7
"""The part of a term's worth from which on a tool answers it in full."""

_UNKNOWN = 3.0
"""What a term is worth that no tool knows anything of."""

_NAMED = 0.85
"""How well a tool fits the wish whose verb is in its name, whatever its method is; a word that
stands for the verb counts by how well it does."""

_NOUN = 0.4
"""How well one that only reads fits a wish to change something: what looks like the verb in its name
is a noun, as in `get_ban`."""

_READING = frozenset(("GET", "HEAD", "QUERY"))
_LOOKING = frozenset((GET, LIST))


@dataclass(frozen=True, slots=True)
class Candidate:
    """A tool that may be the one."""

    name: str
    method: str
    path: str


@dataclass(frozen=True, slots=True)
class Gain:
    """A term, what it is worth at most, and what each tool gains from it."""

    term: Term
    worth: float
    by_tool: Mapping[int, float]


class Judge:
    """What one question asks of every candidate. `rarity` says what a stem is worth."""

    def __init__(self, gains: list[Gain], rarity: Callable[[str], float]) -> None:
        self._gains = gains
        self._rarity = rarity
        self._asked = {one for gain in gains for one in gain.term.stems}
        self._worth = sum(gain.worth or _UNKNOWN for gain in gains)
        self._verb = next((gain.term for gain in gains if gain.term.wanted), Term({}))
        self._object = next((gain.term for gain in gains if not gain.term.wanted), Term({}))

    def fit(self, number: int, candidate: Candidate) -> float:
        """How well the candidate fits beside the words it has, from 0 to 1."""
        named = list(dict.fromkeys(map(stem, words(candidate.name))))
        return (
            _part(_COVERED, self._covered(number))
            * _part(_BESIDE, 1 - self._beside(named))
            * _part(_GUESSED if self._verb.tacit else _DEED, self._agreed(named, candidate))
            * _part(_OBJECT, self._ends(candidate.path))
        )

    def _covered(self, number: int) -> float:
        """The part of the question that the tool answers."""
        found = (
            min(gain.worth, gain.by_tool[number] / _FULL)
            for gain in self._gains
            if number in gain.by_tool
        )
        return sum(found) / self._worth

    def _beside(self, named: list[str]) -> float:
        """The part of the tool's name that nobody asked for."""
        worth = {one: self._rarity(one) for one in named if one not in METHODS}
        rest = sum(value for one, value in worth.items() if one not in self._asked)
        return rest / (sum(worth.values()) or 1.0)

    def _agreed(self, named: list[str], candidate: Candidate) -> float:
        """How well what the tool does is what is wanted."""
        agreed = agreement(self._verb.wanted, candidate.method, candidate.path)
        said = max((self._verb.stems.get(one, 0.0) for one in named), default=0.0)
        reads = candidate.method in _READING and not self._verb.wanted.keys() & _LOOKING
        return max(agreed, said * (_NOUN if reads else _NAMED))

    def _ends(self, path: str) -> float:
        """How well the last thing that the path names is the first that was asked for."""
        fixed = [part for part in path.split("/") if part and not part.startswith("{")]
        last = set(map(stem, words(fixed[-1]))) if fixed else set()
        return max((weight for one, weight in self._object.stems.items() if one in last), default=0)


def _part(share: float, value: float) -> float:
    """A factor of which only a share hangs on the value."""
    return 1 - share + share * value
