"""How a line of a scenario begins: indentation, bullet, keyword."""

from __future__ import annotations

import re
from dataclasses import dataclass

from mcpgen.ir.markdown import SPACE
from mcpgen.parse.openspec.keywords import ENGLISH, KEYWORDS, MARKED, PLAIN

_BULLET = re.compile(
    rf"([{SPACE}]*)((?:[-*+•‣◦▪●○·–—]|\d{{1,9}}[.)、])(?:[{SPACE}]+|\Z)(?:\[[ xX]\][{SPACE}]+)?)?"
)
"""Indentation, then perhaps a bullet of any kind and the box of a task."""

_SEPARATOR = rf"[{SPACE}]*[:：,，、]?"
_TAB = 4


@dataclass(frozen=True, slots=True)
class Opening:
    """The beginning of a line and what follows it.

    `indent` is the column (from 0, tabs to stops of four) of the bullet or the text, `column` the
    same as a character of the line (from 1). `keyword` is English and in capitals, `""` where the
    line begins with none; `marked` is how it is emphasised, `spelt` how it is written. `text` is
    the line behind the bullet, `rest` what stands behind the keyword too.
    """

    indent: int
    column: int
    bulleted: bool
    keyword: str
    marked: str
    spelt: str
    text: str
    rest: str

    @property
    def shouted(self) -> bool:
        """Whether the keyword is written in capitals, or in letters that have none."""
        return bool(self.spelt) and self.spelt == self.spelt.upper()

    @property
    def capital(self) -> bool:
        """Whether the keyword is written as at the beginning of a sentence."""
        return self.shouted or self.spelt.capitalize() == self.spelt


def opening_of(text: str) -> Opening:
    """How the line begins."""
    found = _BULLET.match(text)
    assert found is not None, "the pattern may match nothing"
    space, bullet = found[1], found[2] or ""
    indent = len(space.expandtabs(_TAB))
    behind = text[found.end() :]
    keyword, marked, spelt, rest = _keyword(behind)
    return Opening(indent, len(space) + 1, bool(bullet), keyword, marked, spelt, behind, rest)


def _keyword(text: str) -> tuple[str, str, str, str]:
    """The keyword a text begins with, its mark, its spelling, and the text behind it."""
    if found := MARKED.match(text):
        mark, spelt = found.groups()
        behind = text[found.end() :]
        closed = re.match(rf"{_SEPARATOR}{re.escape(mark)}{_SEPARATOR}", behind)
        rest = behind[closed.end() :] if closed else mark + behind.lstrip()
        return _english(spelt), mark, spelt, rest
    if found := PLAIN.match(text):
        separator = re.match(_SEPARATOR, text[found.end() :])
        end = found.end() + (separator.end() if separator else 0)
        return _english(found[1]), "", found[1], text[end:]
    return "", "", "", text


def _english(spelt: str) -> str:
    keyword = KEYWORDS[spelt.upper()]
    assert keyword in ENGLISH
    return keyword
