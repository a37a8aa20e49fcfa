"""What people say for what an API calls otherwise: plain English and the jargon of the trade.

Nothing here was taken from one API; a word that only one vendor uses does not belong here.
"""

from __future__ import annotations

from collections.abc import Iterable

from .search_nouns import ALIKE, CLOSE
from .search_stemming import split_list, stem_word
from .search_verbs import ACTIONS, DEEDS

SILENT = split_list(
    "a about am an and any are as at be been by can could did do does for from had has have "
    "how i if in into is it its just let like me much my of on or our out please so some such than "
    "that the their them then there these they this those to us want was way we were what "
    "when where which who whom whose why will with would you your s t am pls plz"
)
"""Words of a question that say nothing about what is asked for."""

EQUAL = 0.95
SAME = 0.6
"""What a word counts that stands for the one that was asked for."""


def _table(groups: Iterable[str], weight: float, into: dict[str, dict[str, float]]) -> None:
    for group in groups:
        stems = [stem_word(word) for word in group.split() if not word.startswith("+")]
        for one in stems:
            others = into.setdefault(one, {})
            for other in stems:
                if other != one:
                    others[other] = max(others.get(other, 0.0), weight)


def _tables() -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {}
    _table((*DEEDS, *ACTIONS, *CLOSE), SAME, found)
    _table(ALIKE, EQUAL, found)
    return found


def _marks() -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {}
    for group in DEEDS:
        marks = {word: 1.0 for word in group.split() if word.startswith("+")}
        for word in group.split():
            if word not in marks:
                found.setdefault(stem_word(word), {}).update(marks)
    return found


OTHERS = _tables()
"""By stem: the stems that stand for it, and how much each counts."""

MARKS = _marks()
"""By the stem of a verb: the marks of what it wants done."""

METHODS = frozenset(
    map(
        stem_word,
        split_list(
            "get list read show fetch create post add put patch update replace delete remove all"
        ),
    )
)
"""Stems that names begin with to say what the method says too."""

VERBS = frozenset(stem_word(word) for group in (*DEEDS, *ACTIONS) for word in group.split())
"""Stems that say what is to be done."""
