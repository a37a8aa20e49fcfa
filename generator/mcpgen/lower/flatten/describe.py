"""Descriptions of arguments: the document's words first, then the constraints of the schema."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from mcpgen.diagnostics import Location
from mcpgen.ir.api import Place
from mcpgen.lower.flatten.context import FlattenContext
from mcpgen.lower.name_words import meaning, name_words
from mcpgen.lower.sanitize_text import clean, end_sentence, sentences, strip_invisible, truncate
from mcpgen.lower.summarize import brief, descriptive_sentences, gist

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
    text = clean(prose, at, context.diagnostics)
    said = _gist(text, context.budget.argument)
    if not said:
        said = by_place(target, place)
    elif target and meaning(said) <= meaning(target[-1]):
        said = _key_text(target[-1])
    tail = truncate(" ".join(unsaid(demands, said)), LONGEST - 60)
    return f"{end_sentence(truncate(said, max(60, LONGEST - 1 - len(tail))))} {tail}".strip()


@lru_cache(maxsize=4_096)
def _gist(text: str, room: int) -> str:
    """Summarizes the document's words. Cached: the operations of a collection repeat their
    texts."""
    found = descriptive_sentences(text) or sentences(text)
    return gist([brief(found[0]), *found[1:]], room) if found else ""


def by_place(target: Sequence[str], place: Place) -> str:
    """Returns the description of an undocumented argument: `Street of address, in the body.`"""
    if not target:
        return "The body of the request."
    owner = " ".join(word for key in target[:-1] for word in name_words(key))
    of_owner = f" of {owner}" if owner else ""
    return truncate(f"{_key_text(target[-1])}{of_owner}, {_PLACES[place]}.", 200)


def _key_text(key: str) -> str:
    spoken = " ".join(name_words(key)) or strip_invisible(key) or "value"
    return f"{spoken[0].upper()}{spoken[1:]}"


_DEFAULT = re.compile(r"^Default: (.+)\.$", re.DOTALL)
_ONE_OF = re.compile(r"^One of: (.+)\.$", re.DOTALL)
_BOUND = re.compile(r"At most |At least |Exactly |-?[\d.]+ to ")
_LIMITS = re.compile(r"\b(?:max|min|most|least|up to|between|range|from|limit|exceed|than|exactly)")
_NUMBER = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?")


def unsaid(demands: Sequence[str], said: str) -> list[str]:
    """Returns the sentences about a schema that the prose does not contain already."""
    return [sentence for sentence in demands if not _is_repeated(sentence, said)]


def _is_repeated(sentence: str, said: str) -> bool:
    spoken = said.lower()
    if _stands(sentence.rstrip(".").lower(), spoken):
        return True
    if sentence.startswith("ISO 8601"):
        return "8601" in spoken
    if found := _DEFAULT.match(sentence):
        return _after_default(found[1].lower(), spoken)
    if found := _ONE_OF.match(sentence):
        return all(_stands(value, said) for value in found[1].split(", "))
    if _BOUND.match(sentence):
        return _bounds(sentence, spoken)
    return False


def _after_default(value: str, spoken: str) -> bool:
    return any(_stands(value, part[:40]) for part in re.split(r"\bdefaults?(?:ed)?\b", spoken)[1:])


def _stands(value: str, spoken: str) -> bool:
    """True if `value` occurs in the text as a word of its own."""
    # Most stand nowhere, and none needs a pattern of its own to find that out.
    if value not in spoken:
        return False
    return bool(re.search(rf"(?<![\w-]){re.escape(value)}(?![\w-])", spoken))


def _bounds(sentence: str, spoken: str) -> bool:
    """True if the text speaks of bounds and contains every number of the sentence."""
    numbers, known = _numbers(sentence), _numbers(spoken)
    return bool(numbers) and numbers <= known and bool(_LIMITS.search(spoken))


def _numbers(text: str) -> set[float]:
    """Returns the numbers in a text, without signs."""
    return {float(each.replace(",", "")) for each in _NUMBER.findall(text)}
