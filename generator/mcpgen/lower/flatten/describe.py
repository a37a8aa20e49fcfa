"""Descriptions of arguments: the document's words first, then the constraints of the schema."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from mcpgen.diagnostics import Location
from mcpgen.ir.api import Place
from mcpgen.lower.flatten.context import FlattenContext
from mcpgen.lower.name_words import meaning, name_words
from mcpgen.lower.sanitize_text import end_sentence, sanitize, sentences, strip_invisible, truncate
from mcpgen.lower.summarize import descriptive_sentences, shorten_phrases, summarize

_PLACES = {
    Place.PATH: "in the path",
    Place.QUERY: "in the query",
    Place.HEADER: "in a header",
    Place.COOKIE: "in a cookie",
    Place.BODY: "in the body",
    Place.PART: "at the head of a part",
}
LONGEST = 700
"""The most characters of an argument's description; a whole tool has to fit into a prompt."""


def describe_argument(
    context: FlattenContext,
    prose: str,
    target: Sequence[str],
    place: Place,
    demands: Sequence[str],
    at: Location,
) -> str:
    """Returns the description of an argument: 1 to `LONGEST` characters.

    A summary of the document's words comes first; an undocumented argument is described by its name
    and place (`Pet id, in the path.`).
    """
    text = sanitize(prose, at, context.diagnostics)
    summary = _gist(text, context.budget.argument)
    if not summary:
        summary = describe_by_place(target, place)
    elif target and meaning(summary) <= meaning(target[-1]):
        summary = _key_text(target[-1])
    tail = truncate(" ".join(unrepeated_sentences(demands, summary)), LONGEST - 60)
    return f"{end_sentence(truncate(summary, max(60, LONGEST - 1 - len(tail))))} {tail}".strip()


@lru_cache(maxsize=4_096)
def _gist(text: str, room: int) -> str:
    """Summarizes the document's words. Cached: the operations of a collection repeat their
    texts."""
    facts = descriptive_sentences(text) or sentences(text)
    return summarize([shorten_phrases(facts[0]), *facts[1:]], room) if facts else ""


def describe_by_place(target: Sequence[str], place: Place) -> str:
    """Returns the description of an undocumented argument: `Street of address, in the body.`"""
    if not target:
        return "The body of the request."
    owner = " ".join(word for key in target[:-1] for word in name_words(key))
    of_owner = f" of {owner}" if owner else ""
    return truncate(f"{_key_text(target[-1])}{of_owner}, {_PLACES[place]}.", 200)


def _key_text(key: str) -> str:
    words = " ".join(name_words(key)) or strip_invisible(key) or "value"
    return f"{words[0].upper()}{words[1:]}"


_DEFAULT = re.compile(r"^Default: (.+)\.$", re.DOTALL)
_ONE_OF = re.compile(r"^One of: (.+)\.$", re.DOTALL)
_BOUND = re.compile(r"At most |At least |Exactly |-?[\d.]+ to ")
_LIMITS = re.compile(r"\b(?:max|min|most|least|up to|between|range|from|limit|exceed|than|exactly)")
_NUMBER = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?")


def unrepeated_sentences(demands: Sequence[str], text: str) -> list[str]:
    """Returns the sentences about a schema missing in the prose."""
    return [sentence for sentence in demands if not _is_repeated(sentence, text)]


def _is_repeated(sentence: str, text: str) -> bool:
    lowered = text.lower()
    if _contains_word(sentence.rstrip(".").lower(), lowered):
        return True
    if sentence.startswith("ISO 8601"):
        return "8601" in lowered
    if default := _DEFAULT.match(sentence):
        return _after_default(default[1].lower(), lowered)
    if default := _ONE_OF.match(sentence):
        return all(_contains_word(value, text) for value in default[1].split(", "))
    if _BOUND.match(sentence):
        return _bounds(sentence, lowered)
    return False


def _after_default(value: str, lowered: str) -> bool:
    return any(
        _contains_word(value, part[:40]) for part in re.split(r"\bdefaults?(?:ed)?\b", lowered)[1:]
    )


def _contains_word(value: str, lowered: str) -> bool:
    """True if `value` occurs in the text as a word of its own."""
    # A substring search rejects most values without compiling a pattern.
    if value not in lowered:
        return False
    return bool(re.search(rf"(?<![\w-]){re.escape(value)}(?![\w-])", lowered))


def _bounds(sentence: str, lowered: str) -> bool:
    """True if the text speaks of bounds and contains every number of the sentence."""
    numbers, known = _numbers(sentence), _numbers(lowered)
    return bool(numbers) and numbers <= known and bool(_LIMITS.search(lowered))


def _numbers(text: str) -> set[float]:
    """Returns the numbers in a text, without signs."""
    return {float(number.replace(",", "")) for number in _NUMBER.findall(text)}
