"""A question as the terms that a search looks for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from .search_intent import QueryIntent, is_question, wish
from .search_phrases import replace_phrases
from .search_stemming import singular, split_list, split_words, stem_word
from .search_synonyms import SILENT, VERBS
from .search_vocabulary import Vocabulary

_RELATED = 0.7
"""What a word counts that a question is probably about."""

_LONGEST = 24
"""How many terms of a question are looked for."""

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
"""Stems of words that may mean anybody or anything, any time or any number."""

_ABOUT = {
    "who": "user member person participant owner",
    "whose": "owner user",
    "when": "time date schedule",
    "where": "location address",
    "why": "reason error log",
}
"""What is asked for by the word a question begins with, in words of APIs; any of them may do."""


@dataclass(frozen=True, slots=True)
class SearchTerm:
    """Something that is asked for: the known stems that say it and how much each counts, and the one
    that was written. A term is `vague` when it may be anybody or anything."""

    stems: Mapping[str, float]
    written: str = ""
    is_verb: bool = False
    vague: bool = False


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """What is asked for, and what is wanted done."""

    terms: tuple[SearchTerm, ...]
    wish: QueryIntent


def parse_query(question: str, vocabulary: Vocabulary) -> SearchQuery:
    """What the question asks for, in its order and each once, and what it wants done."""
    written = split_words(question)
    noun_first = is_question(written) or written[1:2] == ["of"]
    found: dict[str, SearchTerm] = {}
    for word in vocabulary.apart(_content_words(written)):
        one = stem_word(word)
        is_verb = not (found or noun_first) and one in VERBS and singular(word) == word
        if one not in found and len(found) < _LONGEST:
            found[one] = SearchTerm(vocabulary.stems(word), one, is_verb, one in _VAGUE)
    verb = next((one for one, term in found.items() if term.is_verb), "")
    return SearchQuery((*found.values(), *_about(written, vocabulary)), wish(written, verb))


def _about(written: list[str], vocabulary: Vocabulary) -> Iterator[SearchTerm]:
    """What the first word of a question tells of what is asked for."""
    stems = map(stem_word, _ABOUT.get(written[0], "").split()) if written else ()
    known = {one: _RELATED for one in stems if vocabulary.has(one)}
    if known:
        yield SearchTerm(known, vague=True)


def _content_words(written: list[str]) -> Iterator[str]:
    """The words that say something, with phrases put in words of APIs; all if none does."""
    spoken = [word for word in replace_phrases(written) if word not in SILENT]
    yield from spoken or written
