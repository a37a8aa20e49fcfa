"""What a question wants done: which marks of deeds, and in which manner it says so."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, auto

from .operation_intent import CREATE, GET, LIST, MANY, ONE, ORDER, QUESTION
from .search_stemming import singular, split_list
from .search_synonyms import MARKS, SILENT

_ASKING = split_list(
    "what which who whose whom where when why is are am was were do does did has have had should"
)
"""Words that begin a question, after which no verb is an order."""

_ALL = split_list("all every each")
"""Words for all of what is asked for."""

_SINGLE = split_list("one a an")
"""Words for one of what is asked for, after a verb."""

_SELF = split_list("i we you one")
"""Who is about to do what is asked for."""

_OBJECTS = split_list(
    "a an the my our your this these those to all every some somebody someone it on off out up "
    "down back several many both each more two three"
)
"""Words that follow a verb in an order, and seldom a noun that stands first."""


class IntentManner(Enum):
    """How a question says what it wants done: by a verb, by asking, or not at all."""

    ORDERED = auto()
    ASKED = auto()
    GUESSED = auto()


@dataclass(frozen=True, slots=True)
class QueryIntent:
    """Marks of what is wanted done, each with how likely it is, and how that was said."""

    marks: Mapping[str, float]
    manner: IntentManner


def wish(written: list[str], verb: str) -> QueryIntent:
    """What is wanted by a question of these words; `verb` is the stem of the one that it orders with,
    empty if it has none."""
    if verb:
        return QueryIntent(_ordered(verb, written), IntentManner.ORDERED)
    if _speaks_of_many(written):
        return QueryIntent(MANY, IntentManner.ASKED)
    if written[:1] == ["new"]:
        return QueryIntent({CREATE: 1.0}, IntentManner.GUESSED)
    marks = ORDER if _is_order(written) else QUESTION
    return QueryIntent(marks, IntentManner.ASKED if is_question(written) else IntentManner.GUESSED)


def is_question(written: list[str]) -> bool:
    """Whether a question begins as one asks; `how do I` begins an order."""
    if written[:1] == ["how"]:
        return written[1:2] != ["to"] and not _SELF.issuperset(written[2:3] or ["i"])
    return bool(_ASKING.intersection(written[:1]))


def _ordered(verb: str, written: list[str]) -> Mapping[str, float]:
    """What a verb wants done, to all or to one if the words beside it say so."""
    wanted = MARKS.get(verb, ORDER)
    if LIST in wanted and not _ALL.isdisjoint(written):
        return MANY
    return ONE if GET in wanted and not _SINGLE.isdisjoint(written[1:2]) else wanted


def _speaks_of_many(written: list[str]) -> bool:
    """Whether it begins with the plural of something: who names many asks which there are."""
    first = next((word for word in written if word not in SILENT), "")
    return singular(first) != first


def _is_order(written: list[str]) -> bool:
    """Whether it begins as one says what to do: with a word for it, then an article or the like."""
    if len(written) < 2 or written[0] in SILENT:
        return False
    return written[1] in _OBJECTS or written[1].isdigit()
