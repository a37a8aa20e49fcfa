"""Lines of a Markdown text with positions, and line text without Markdown marks."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from mcpgen.diagnostics import Location
from mcpgen.ir.source import Document
from mcpgen.openspec.model.markdown import SPACE, fenced_lines

SPACES = "".join(map(chr, (*range(9, 14), 32, 160, 0x1680, *range(0x2000, 0x200B)))) + (
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
"""All white space characters."""

BLANKS = re.compile(rf"[{SPACE}]+")


class Line(NamedTuple):
    """A line: text, file and line number (from 1).

    A line added by a merge has the position of the previous line.
    """

    text: str
    file: str
    number: int

    def at(self, column: int = 1) -> Location:
        """Returns the position of a character of the line; columns count from 1."""
        return Location(self.file, line=self.number, column=column)


class Lines(NamedTuple):
    """Consecutive lines, each with a flag for fenced blocks."""

    lines: Sequence[Line]
    fenced: Sequence[bool]

    @classmethod
    def of(cls, lines: Sequence[Line]) -> Lines:
        """Computes the flags for a whole text."""
        return cls(lines, fenced_lines([line.text for line in lines]))

    def part(self, start: int, end: int) -> Lines:
        """Returns the lines from `start` up to `end` (exclusive), with their flags."""
        return Lines(self.lines[start:end], self.fenced[start:end])


def lines_of(document: Document) -> list[Line]:
    """Returns the lines of a document; at least one."""
    texts = document.text.split("\n")
    return [Line(text, document.name, number) for number, text in enumerate(texts, 1)]


def join_lines(lines: Iterable[Line]) -> str:
    """Joins lines to a text."""
    return "\n".join(line.text for line in lines)


def strip_blank_lines(lines: Sequence[Line], *, start: bool = True) -> list[Line]:
    """Strips white space before the first and after the last visible character.

    With `start` false only the end is stripped.
    """
    begin, end = 0, len(lines)
    while end > begin and blank(lines[end - 1].text):
        end -= 1
    while start and begin < end and blank(lines[begin].text):
        begin += 1
    body = list(lines[begin:end])
    if body:
        body[-1] = body[-1]._replace(text=body[-1].text.rstrip(SPACES))
    if body and start:
        body[0] = body[0]._replace(text=body[0].text.lstrip(SPACES))
    return body


def digest_of(text: str) -> str:
    """Returns the SHA-256 of a text, in hexadecimal digits."""
    return hashlib.sha256(text.encode("utf-8", errors="surrogatepass")).hexdigest()


def trim(text: str) -> str:
    """Strips white space from both ends."""
    return text.strip(SPACES)


def blank(text: str) -> bool:
    """Returns whether the text is empty or white space."""
    return not trim(text)


_TOKEN = re.compile(r"(`+)|\\([!-/:-@\[-`{-~])|(\*{1,3}|_{1,3})")


def strip_markdown(text: str) -> str:
    """Returns the text as a single line without emphasis and escapes; code spans stay unchanged.

    Unpaired marks are kept: `2 * 3`, `src/*.py`, `snake_case`.
    """
    text = trim(BLANKS.sub(" ", text))
    return _unmarked(text) if any(mark in text for mark in "*_\\") else text


def _unmarked(text: str) -> str:
    """Removes pairs of emphasis marks and the `\\` of escapes."""
    code_ends = _code_ends(text)
    pieces: list[str] = []
    open_marks: dict[str, int] = {}
    position = 0
    while token := _TOKEN.search(text, position):
        start, end = token.span()
        pieces.append(text[position:start])
        position = end
        ticks, escaped, mark = token.groups()
        if ticks:
            position = code_ends.get(start, end)
            pieces.append(text[start:position])
            continue
        if escaped:
            pieces.append(escaped)
            continue
        pieces.append(mark)
        opens, closes = _flanks(text, start, end)
        if closes and mark in open_marks:
            pieces[open_marks.pop(mark)] = pieces[-1] = ""
        elif opens:
            open_marks[mark] = len(pieces) - 1
    return "".join((*pieces, text[position:]))


def _flanks(text: str, start: int, end: int) -> tuple[bool, bool]:
    """Returns whether a mark can open and can close emphasis; `_` not inside a word."""
    before, behind = text[start - 1 : start], text[end : end + 1]
    opens, closes = bool(behind.strip()), bool(before.strip())
    if text[start] == "_":
        return opens and not before.isalnum(), closes and not behind.isalnum()
    return opens, closes


def _code_ends(text: str) -> dict[int, int]:
    """Maps the start of each code span to its end, the next run of equally many back-ticks."""
    runs = [match.span() for match in re.finditer(r"`+", text)]
    following: dict[int, int] = {}
    ends: dict[int, int] = {}
    for start, end in reversed(runs):
        if end - start in following:
            ends[start] = following[end - start]
        following[end - start] = end
    return ends
