"""Parses a search query into weighted terms and intents.

An intent is an action that the query asks for: list, get, create, update or delete. Intents follow
from the verb or the form of the query, and are compared with the method and path of a tool, because
many tool names only repeat the path. Likelihoods and weights are tuned with `benchmarks/search.py`
of mcpgen.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum, auto

from .phrases import replace_phrases
from .stemming import singular, split_list, split_words, stem_word
from .synonyms import INTENTS_BY_STEM, SILENT, VERBS
from .vocabulary import Vocabulary

LIST, GET, CREATE, UPDATE, DELETE = "+list", "+get", "+create", "+update", "+delete"
"""The intents. The `+` marks an intent in a group of verbs of `synonyms`."""

_COMMAND_INTENTS: Mapping[str, float] = {CREATE: 1.0, UPDATE: 0.9, DELETE: 0.3}
"""Likelihood of each intent of a command with an unknown verb, relative to the likeliest."""

_SEVERAL_ITEMS_INTENTS: Mapping[str, float] = {LIST: 1.0, GET: 0.8}
"""Likelihood of each intent of a query about several items."""

_SINGLE_ITEM_INTENTS: Mapping[str, float] = {GET: 1.0, LIST: 0.7}
"""Likelihood of each intent of a query about a single item."""

_NO_VERB_INTENTS: Mapping[str, float] = {LIST: 1.0, GET: 0.9}
"""Likelihood of each intent of a query without a verb, such as `account balance`."""

_COLLECTION_FITS: Mapping[str, Mapping[str, float]] = {
    "GET": {LIST: 1.0, GET: 0.95},
    "HEAD": {GET: 0.8},
    "QUERY": {LIST: 1.0, GET: 0.8},
    "POST": {CREATE: 1.0, UPDATE: 0.8, DELETE: 0.5, LIST: 0.2, GET: 0.2},
    "PUT": {UPDATE: 1.0, CREATE: 0.8},
    "PATCH": {UPDATE: 1.0},
    "DELETE": {DELETE: 1.0},
}
"""Fit of each intent by method, for paths that do not end in a parameter."""

_ITEM_FITS: Mapping[str, Mapping[str, float]] = {
    **_COLLECTION_FITS,
    "GET": {GET: 1.0, LIST: 0.6},
    "POST": {UPDATE: 1.0, CREATE: 0.8, DELETE: 0.3},
    "PUT": {UPDATE: 1.0, CREATE: 0.5},
}
"""Fit of each intent by method, for paths that end in a parameter."""


def intent_fits(method: str, path: str) -> Mapping[str, float]:
    """The fit of a tool's request to each intent, from 0 to 1; an intent with fit 0 is absent."""
    table = _ITEM_FITS if path.rstrip("/").endswith("}") else _COLLECTION_FITS
    return table.get(method, {})


def intent_score(intents: Mapping[str, float], method: str, path: str) -> float:
    """The fit of a tool's request to `intents` with their likelihoods, from 0 to 1: the fit to the
    best intent. 1 without intents."""
    if not intents:
        return 1.0
    fits = intent_fits(method, path)
    best = max(likelihood * fits.get(intent, 0.0) for intent, likelihood in intents.items())
    return best / max(intents.values())


_QUESTION_WORDS = split_list(
    "what which who whose whom where when why is are am was were do does did has have had should"
)
"""Words that begin a question; a verb in a question is not a command."""

_WORDS_FOR_ALL = split_list("all every each")
"""Words for all items, at any position."""

_WORDS_FOR_ONE = split_list("one a an")
"""Words for a single item, as the second word of a query: `show an order`."""

_SUBJECTS = split_list("i we you one")
"""Subjects that turn `how` into a command: `how do I cancel an order` means `cancel an order`."""

_WORDS_AFTER_VERB = split_list(
    "a an the my our your this these those to all every some somebody someone it on off out up "
    "down back several many both each more two three"
)
"""Words that often follow the verb of a command, but rarely follow a noun."""


class IntentEvidence(Enum):
    """The part of a query from which the intents follow; decides how much the intents count in the
    ranking."""

    VERB = auto()
    """A known verb: `delete an order`."""
    QUESTION = auto()
    """A question or a plural noun at the beginning: `who owns the shop`, `orders of a customer`."""
    GUESS = auto()
    """Neither: `account balance`, or a command with an unknown verb."""


@dataclass(frozen=True, slots=True)
class QueryIntent:
    """The intents of a query with likelihoods relative to the likeliest, and the evidence for the
    intents."""

    likelihoods: Mapping[str, float]
    evidence: IntentEvidence


def parse_intent(words: list[str], verb: str) -> QueryIntent:
    """The intents of the words of a query; `verb` is the stem of a known verb, `""` without one."""
    if verb:
        return QueryIntent(_verb_intents(verb, words), IntentEvidence.VERB)
    if _begins_with_plural(words):
        return QueryIntent(_SEVERAL_ITEMS_INTENTS, IntentEvidence.QUESTION)
    intents = _COMMAND_INTENTS if _is_command(words) else _NO_VERB_INTENTS
    evidence = IntentEvidence.QUESTION if is_question(words) else IntentEvidence.GUESS
    return QueryIntent(intents, evidence)


def is_question(words: list[str]) -> bool:
    """True if the words begin a question. `how to` and `how do I` begin a command instead."""
    if words[:1] == ["how"]:
        return words[1:2] != ["to"] and not _SUBJECTS.issuperset(words[2:3] or ["i"])
    return bool(_QUESTION_WORDS.intersection(words[:1]))


def _verb_intents(verb: str, words: list[str]) -> Mapping[str, float]:
    """The intents of a verb; a word for all or for one item decides between list and item."""
    intents = INTENTS_BY_STEM.get(verb, _COMMAND_INTENTS)
    if LIST in intents and not _WORDS_FOR_ALL.isdisjoint(words):
        return _SEVERAL_ITEMS_INTENTS
    if GET in intents and not _WORDS_FOR_ONE.isdisjoint(words[1:2]):
        return _SINGLE_ITEM_INTENTS
    return intents


def _begins_with_plural(words: list[str]) -> bool:
    """True if the first word that is no stop word is a plural, judged by spelling."""
    first = next((word for word in words if word not in SILENT), "")
    return singular(first) != first


def _is_command(words: list[str]) -> bool:
    """True if the words begin like a command: a word, then an article, a number or similar."""
    if len(words) < 2 or words[0] in SILENT:
        return False
    return words[1] in _WORDS_AFTER_VERB or words[1].isdigit()


_IMPLIED_WEIGHT = 0.7
"""Weight of a word implied by the question word."""

_MAX_TERMS = 24
"""Maximum number of written terms of a query; bounds the time of a search."""

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
"""Stems of words for persons, things, times and numbers in general. These words fit tools of every
subject, so they weigh less than other words."""

_IMPLIED_WORDS = {
    "who": "user member person participant owner",
    "whose": "owner user",
    "when": "time date schedule",
    "where": "location address",
    "why": "reason error log",
}
"""By question word: words of APIs that a question with the question word is often about."""


@dataclass(frozen=True, slots=True)
class SearchTerm:
    """A term of a query. `stem` is the stem of the written word, `""` for an implied term. `stems`
    are the matching stems that occur in some tool, with weights up to 1: `stem`, synonyms, derived
    and corrected words. `is_vague` for words that fit tools of every subject."""

    stems: Mapping[str, float]
    stem: str = ""
    is_verb: bool = False
    is_vague: bool = False


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """The terms and intents of a query."""

    terms: tuple[SearchTerm, ...]
    intent: QueryIntent


def parse_query(text: str, vocabulary: Vocabulary) -> SearchQuery:
    """Parses a query into its intents and distinct terms. Written terms are in order, followed by a
    term that the question word implies."""
    words = split_words(text)
    # A verb in a question is no command, and `list` in `list of orders` is a noun.
    has_no_verb = is_question(words) or words[1:2] == ["of"]
    terms: dict[str, SearchTerm] = {}
    for word in vocabulary.split_compounds(_content_words(words)):
        stem = stem_word(word)
        # Only the first term can be the verb. A plural such as `orders` is a noun.
        is_verb = not (terms or has_no_verb) and stem in VERBS and singular(word) == word
        if stem not in terms and len(terms) < _MAX_TERMS:
            terms[stem] = SearchTerm(vocabulary.stems(word), stem, is_verb, stem in _VAGUE)
    verb = next((stem for stem, term in terms.items() if term.is_verb), "")
    return SearchQuery(
        (*terms.values(), *_implied_terms(words, vocabulary)), parse_intent(words, verb)
    )


def _implied_terms(words: list[str], vocabulary: Vocabulary) -> Iterator[SearchTerm]:
    """The term that the first word implies: none, or one with alternative stems."""
    stems = map(stem_word, _IMPLIED_WORDS.get(words[0], "").split()) if words else ()
    weights = {stem: _IMPLIED_WEIGHT for stem in stems if vocabulary.has(stem)}
    if weights:
        yield SearchTerm(weights, is_vague=True)


def _content_words(words: list[str]) -> Iterator[str]:
    """Replaces phrases, then drops stop words. All written words if only stop words are left."""
    content = [word for word in replace_phrases(words) if word not in SILENT]
    yield from content or words
