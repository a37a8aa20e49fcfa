"""Descriptions of arguments: what the document says, then what the schema demands."""

from __future__ import annotations

from collections.abc import Sequence

from mcpgen.diagnostics import Diagnostics, Location
from mcpgen.diagnostics.codes import lower as codes
from mcpgen.ir.api import Place
from mcpgen.lower.text import cut, ended, plain, sentences, suspicious, visible
from mcpgen.lower.words import words

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

_PROSE = 400


def described(
    prose: str,
    target: Sequence[str],
    place: Place,
    demands: Sequence[str],
    at: Location,
    diagnostics: Diagnostics,
) -> str:
    """The description of an argument; never empty, at most `LONGEST` characters.

    The document's own words come first; without any, the argument is named for its place.
    """
    said = clean(prose, at, diagnostics) or by_place(target, place)
    spoken = said.lower()
    rest = [sentence for sentence in demands if not _said(sentence.lower(), spoken)]
    tail = cut(" ".join(rest), LONGEST - 60)
    head = ended(cut(said, max(60, min(_PROSE, LONGEST - 1 - len(tail)))))
    return f"{head} {tail}".strip()


def _said(sentence: str, spoken: str) -> bool:
    """Whether the prose already says what a sentence does."""
    return sentence.rstrip(".") in spoken or (sentence.startswith("iso 8601") and "8601" in spoken)


def clean(prose: str, at: Location, diagnostics: Diagnostics) -> str:
    """Prose as plain text, without sentences that speak to the model."""
    text = plain(prose)
    if not text or not suspicious(text):
        return text
    kept: list[str] = []
    for sentence in sentences(text):
        if suspicious(sentence):
            shown = cut(sentence, 80)
            diagnostics.add(codes.SUSPICIOUS_TEXT, at, sentence=shown)
        else:
            kept.append(sentence)
    # An order may run over the end of a sentence; then nothing of the text is kept.
    return "" if suspicious(" ".join(kept)) else " ".join(kept)


def by_place(target: Sequence[str], place: Place) -> str:
    """What is told of an argument that the document says nothing of: its name and its place."""
    if not target:
        return "The body of the request."
    spoken = " ".join(words(target[-1])) or visible(target[-1]) or "value"
    owner = " ".join(word for key in target[:-1] for word in words(key))
    of_owner = f" of {owner}" if owner else ""
    return cut(f"{spoken[0].upper()}{spoken[1:]}{of_owner}, {_PLACES[place]}.", 200)
