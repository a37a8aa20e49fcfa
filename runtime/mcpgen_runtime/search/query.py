"""Turns a question into search terms, including the intent of the question.

The intent of a tool comes from its method and path: names often repeat only the path."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum, auto

from .phrases import replace_phrases
from .stemming import singular, split_list, split_words, stem_word
from .synonyms import INTENTS_BY_STEM, SILENT, VERBS
from .vocabulary import Vocabulary

LIST, GET, CREATE, UPDATE, DELETE = "+list", "+get", "+create", "+update", "+delete"

ORDER: Mapping[str, float] = {CREATE: 1.0, UPDATE: 0.9, DELETE: 0.3}
"""Likely intents of an order with an unknown verb."""

MANY: Mapping[str, float] = {LIST: 1.0, GET: 0.8}
"""Likely intents of a question about several things."""

ONE: Mapping[str, float] = {GET: 1.0, LIST: 0.7}
"""Likely intents of a question about one thing."""

QUESTION: Mapping[str, float] = {LIST: 1.0, GET: 0.9}
"""Likely intents of a question that only names a thing."""

_ON_MANY: Mapping[str, Mapping[str, float]] = {
    "GET": {LIST: 1.0, GET: 0.95},
    "HEAD": {GET: 0.8},
    "QUERY": {LIST: 1.0, GET: 0.8},
    "POST": {CREATE: 1.0, UPDATE: 0.8, DELETE: 0.5, LIST: 0.2, GET: 0.2},
    "PUT": {UPDATE: 1.0, CREATE: 0.8},
    "PATCH": {UPDATE: 1.0},
    "DELETE": {DELETE: 1.0},
}
_ON_ONE: Mapping[str, Mapping[str, float]] = {
    **_ON_MANY,
    "GET": {GET: 1.0, LIST: 0.6},
    "POST": {UPDATE: 1.0, CREATE: 0.8, DELETE: 0.3},
    "PUT": {UPDATE: 1.0, CREATE: 0.5},
}
"""Fit of method and intent, for paths that end in a collection and in an item."""


def intent_fits(method: str, path: str) -> Mapping[str, float]:
    """The fit of a request to each intent, from 0 to 1; absent if 0."""
    table = _ON_ONE if path.rstrip("/").endswith("}") else _ON_MANY
    return table.get(method, {})


def intent_score(intents: Mapping[str, float], method: str, path: str) -> float:
    """The fit of a request to the best of several intents, from 0 to 1; 1 without intents."""
    if not intents:
        return 1.0
    fits = intent_fits(method, path)
    return max(intents[mark] * fits.get(mark, 0.0) for mark in intents) / max(intents.values())


_QUESTION_WORDS = split_list(
    "what which who whose whom where when why is are am was were do does did has have had should"
)
"""Words that begin a question; a following verb is not an order."""

_WORDS_FOR_ALL = split_list("all every each")
"""Words for all items."""

_WORDS_FOR_ONE = split_list("one a an")
"""Words for a single item, after a verb."""

_SUBJECTS = split_list("i we you one")
"""Subjects of a question such as "how do I"."""

_OBJECTS = split_list(
    "a an the my our your this these those to all every some somebody someone it on off out up "
    "down back several many both each more two three"
)
"""Words that follow a verb in an order, but rarely a noun."""


class IntentManner(Enum):
    """The form of a question: with a verb, as a question, or neither."""

    ORDERED = auto()
    ASKED = auto()
    GUESSED = auto()


@dataclass(frozen=True, slots=True)
class QueryIntent:
    """The wanted intents with likelihoods, and the form of the question."""

    weights: Mapping[str, float]
    manner: IntentManner


def parse_intent(words: list[str], verb: str) -> QueryIntent:
    """The intent of the words; `verb` is the stem of the ordering verb, or empty."""
    if verb:
        return QueryIntent(_verb_intents(verb, words), IntentManner.ORDERED)
    if _names_plural(words):
        return QueryIntent(MANY, IntentManner.ASKED)
    if words[:1] == ["new"]:
        return QueryIntent({CREATE: 1.0}, IntentManner.GUESSED)
    intents = ORDER if _is_order(words) else QUESTION
    return QueryIntent(intents, IntentManner.ASKED if is_question(words) else IntentManner.GUESSED)


def is_question(words: list[str]) -> bool:
    """True if the words begin like a question; `how do I` and `how to` begin an order."""
    if words[:1] == ["how"]:
        return words[1:2] != ["to"] and not _SUBJECTS.issuperset(words[2:3] or ["i"])
    return bool(_QUESTION_WORDS.intersection(words[:1]))


def _verb_intents(verb: str, words: list[str]) -> Mapping[str, float]:
    """The intents of a verb; words for all or for one item change a reading intent."""
    intents = INTENTS_BY_STEM.get(verb, ORDER)
    if LIST in intents and not _WORDS_FOR_ALL.isdisjoint(words):
        return MANY
    return ONE if GET in intents and not _WORDS_FOR_ONE.isdisjoint(words[1:2]) else intents


def _names_plural(words: list[str]) -> bool:
    """True if the words begin with a plural noun, which asks for a list."""
    first = next((word for word in words if word not in SILENT), "")
    return singular(first) != first


def _is_order(words: list[str]) -> bool:
    """True if the words begin like an order: a word followed by an article or similar."""
    if len(words) < 2 or words[0] in SILENT:
        return False
    return words[1] in _OBJECTS or words[1].isdigit()


_RELATED = 0.7
"""Weight of a word implied by the question word."""

_MAX_TERMS = 24
"""Maximum number of terms of a question."""

_VAGUE = frozenset(
    map(
        stem_word,
        split_list(
            "someone somebody anyone anybody everyone everybody people person one ones other others "
            "another something anything everything thing things stuff new existing specific certain "
            "particular single individual yesterday tomorrow tonight night morning evening weekend "
            "monday tuesday wednesday thursday friday saturday sunday lately already currently "
            "again all every each two three four five ten half hundred thousand lot lots few couple "
            "bunch"
        ),
    )
)
"""Stems of words for any person, thing, time or number."""

_IMPLIED_WORDS = {
    "who": "user member person participant owner",
    "whose": "owner user",
    "when": "time date schedule",
    "where": "location address",
    "why": "reason error log",
}
"""Words of APIs implied by the question word; alternatives."""


@dataclass(frozen=True, slots=True)
class SearchTerm:
    """A term of a question: known stems with weights, and the written stem. `vague` for words that
    fit any person or thing."""

    stems: Mapping[str, float]
    stem: str = ""
    is_verb: bool = False
    vague: bool = False


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """The terms and intent of a question."""

    terms: tuple[SearchTerm, ...]
    intent: QueryIntent


def parse_query(question: str, vocabulary: Vocabulary) -> SearchQuery:
    """Parses a question into distinct terms, in order, and the intent."""
    words = split_words(question)
    noun_first = is_question(words) or words[1:2] == ["of"]
    terms: dict[str, SearchTerm] = {}
    for word in vocabulary.split_compounds(_content_words(words)):
        stem = stem_word(word)
        is_verb = not (terms or noun_first) and stem in VERBS and singular(word) == word
        if stem not in terms and len(terms) < _MAX_TERMS:
            terms[stem] = SearchTerm(vocabulary.stems(word), stem, is_verb, stem in _VAGUE)
    verb = next((stem for stem, term in terms.items() if term.is_verb), "")
    return SearchQuery(
        (*terms.values(), *_implied_terms(words, vocabulary)), parse_intent(words, verb)
    )


def _implied_terms(words: list[str], vocabulary: Vocabulary) -> Iterator[SearchTerm]:
    """The term implied by the first word of a question."""
    stems = map(stem_word, _IMPLIED_WORDS.get(words[0], "").split()) if words else ()
    weights = {stem: _RELATED for stem in stems if vocabulary.has(stem)}
    if weights:
        yield SearchTerm(weights, vague=True)


def _content_words(words: list[str]) -> Iterator[str]:
    """The words without stop words, with phrases replaced; all words if only stop words are
    left."""
    content = [word for word in replace_phrases(words) if word not in SILENT]
    yield from content or words
