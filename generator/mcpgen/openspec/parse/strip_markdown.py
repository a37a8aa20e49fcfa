"""Markdown inside a line taken off: emphasis and escapes, but not back-ticks."""

from __future__ import annotations

import re

from mcpgen.openspec.parse.lines import BLANKS, trim

_TOKEN = re.compile(r"(`+)|\\([!-/:-@\[-`{-~])|(\*{1,3}|_{1,3})")


def strip_markdown(text: str) -> str:
    """The text as one line without emphasis and escapes; code spans stay as they are.

    A mark that opens or closes nothing is kept: `2 * 3`, `src/*.py`, `snake_case`.
    """
    text = trim(BLANKS.sub(" ", text))
    return _unmarked(text) if any(mark in text for mark in "*_\\") else text


def _unmarked(text: str) -> str:
    """The text without pairs of emphasis marks and without the `\\` of escapes."""
    code_ends = _code_ends(text)
    pieces: list[str] = []
    opened: dict[str, int] = {}
    position = 0
    while found := _TOKEN.search(text, position):
        start, end = found.span()
        pieces.append(text[position:start])
        position = end
        ticks, escaped, mark = found.groups()
        if ticks:
            position = code_ends.get(start, end)
            pieces.append(text[start:position])
            continue
        if escaped:
            pieces.append(escaped)
            continue
        pieces.append(mark)
        opens, closes = _flanks(text, start, end)
        if closes and mark in opened:
            pieces[opened.pop(mark)] = pieces[-1] = ""
        elif opens:
            opened[mark] = len(pieces) - 1
    return "".join((*pieces, text[position:]))


def _flanks(text: str, start: int, end: int) -> tuple[bool, bool]:
    """Whether a mark can open and whether it can close: `_` not inside a word."""
    before, behind = text[start - 1 : start], text[end : end + 1]
    opens, closes = bool(behind.strip()), bool(before.strip())
    if text[start] == "_":
        return opens and not before.isalnum(), closes and not behind.isalnum()
    return opens, closes


def _code_ends(text: str) -> dict[int, int]:
    """Where each code span ends, by where it starts: at the next run of as many back-ticks."""
    runs = [found.span() for found in re.finditer(r"`+", text)]
    following: dict[int, int] = {}
    ends: dict[int, int] = {}
    for start, end in reversed(runs):
        if end - start in following:
            ends[start] = following[end - start]
        following[end - start] = end
    return ends
