"""How a line of a scenario begins: indentation, bullet, keyword."""

from __future__ import annotations

import re
from dataclasses import dataclass

from mcpgen.openspec.model.markdown import SPACE
from mcpgen.openspec.parse.keywords import KEYWORDS, keyword_at, plain_enough

_BULLET = re.compile(
    rf"([{SPACE}]*)((?:[-*+•‣◦▪●○·–—]|\d{{1,9}}[.)、])(?:[{SPACE}]+|\Z)(?:\[[ xX]\][{SPACE}]+)?)?"
)
"""Indentation, then perhaps a bullet of any kind and the box of a task."""

_MARK = re.compile(r"\*{1,3}|__?|`")
_SEPARATOR = re.compile(rf"\A[{SPACE}]*[:：,，、]?")
_TAB = 4


@dataclass(frozen=True, slots=True)
class StepPrefix:
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


def opening_of(text: str) -> StepPrefix:
    """How the line begins."""
    found = _BULLET.match(text)
    assert found is not None, "the pattern may match nothing"
    space, bullet = found[1], found[2] or ""
    indent = len(space.expandtabs(_TAB))
    behind = text[found.end() :]
    keyword, marked, spelt, rest = _keyword(behind)
    return StepPrefix(indent, len(space) + 1, bool(bullet), keyword, marked, spelt, behind, rest)


def _keyword(text: str) -> tuple[str, str, str, str]:
    """The keyword a text begins with, its mark, its spelling, and the text behind it."""
    found = _MARK.match(text)
    mark = found[0] if found else ""
    spelt = keyword_at(text, len(mark))
    if not spelt or not (mark or plain_enough(spelt)):
        return "", "", "", text
    behind = text[len(mark) + len(spelt) :]
    rest = _SEPARATOR.sub("", behind, count=1)
    if mark and rest.startswith(mark):
        rest = _SEPARATOR.sub("", rest[len(mark) :], count=1)
    elif mark:
        rest = mark + rest.lstrip()
    return KEYWORDS[spelt.upper()], mark, spelt, rest
