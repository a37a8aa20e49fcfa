"""Descriptions of arguments: what the document says, then what the schema demands."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from mcpgen.diagnostics import Location
from mcpgen.ir.api import Place
from mcpgen.lower.flatten.context import FlattenContext
from mcpgen.lower.flatten.dedupe_text import unsaid
from mcpgen.lower.name_words import meaning, name_words
from mcpgen.lower.phrase_shortening import brief
from mcpgen.lower.sanitize_text import clean
from mcpgen.lower.summarize import descriptive_sentences, gist
from mcpgen.lower.text import end_sentence, sentences, strip_invisible, truncate

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
    """The description of an argument; never empty, at most `LONGEST` characters.

    The gist of the document's own words comes first; without any, the argument is named for its
    place.
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
    """The document's own words in brief; the operations of a collection share most of them."""
    found = descriptive_sentences(text) or sentences(text)
    return gist([brief(found[0]), *found[1:]], room) if found else ""


def by_place(target: Sequence[str], place: Place) -> str:
    """What is told of an argument that the document says nothing of: its name and its place."""
    if not target:
        return "The body of the request."
    owner = " ".join(word for key in target[:-1] for word in name_words(key))
    of_owner = f" of {owner}" if owner else ""
    return truncate(f"{_key_text(target[-1])}{of_owner}, {_PLACES[place]}.", 200)


def _key_text(key: str) -> str:
    spoken = " ".join(name_words(key)) or strip_invisible(key) or "value"
    return f"{spoken[0].upper()}{spoken[1:]}"
