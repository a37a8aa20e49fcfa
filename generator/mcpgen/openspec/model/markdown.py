"""Which lines of a Markdown text are code: what every reader of one must look past."""

from __future__ import annotations

import re
from collections.abc import Sequence

SPACE = "\t\n\v\f\r \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
"""White space as the body of a character class: OpenSpec's, which is JavaScript's `\\s`."""

_FENCE = re.compile(rf"[{SPACE}]*(`{{3,}}|~{{3,}})(.*)", re.DOTALL)
_BLANK = re.compile(rf"[{SPACE}]*")


def fenced_lines(lines: Sequence[str]) -> list[bool]:
    """For each line whether it stands in a fenced code block, its fences included.

    A fence closes with as many marks of its kind or more and nothing behind them; one that never
    closes runs to the end of the text. It may be indented as far as one likes.
    """
    mask = []
    opened = ""
    for line in lines:
        found = _FENCE.match(line) if "```" in line or "~~~" in line else None
        mask.append(bool(opened or found))
        if found is None:
            continue
        marks, rest = found.groups()
        if not opened:
            opened = marks
        elif marks.startswith(opened) and _BLANK.fullmatch(rest):
            opened = ""
    return mask
