"""Lines of Markdown that belong to fenced code blocks."""

from __future__ import annotations

import re
from collections.abc import Sequence

SPACE = "\t\n\v\f\r \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
r"""White space as the body of a character class: JavaScript's `\s`, which OpenSpec uses."""

_FENCE = re.compile(rf"[{SPACE}]*(`{{3,}}|~{{3,}})(.*)", re.DOTALL)
_BLANK = re.compile(rf"[{SPACE}]*")


def fenced_lines(lines: Sequence[str]) -> list[bool]:
    """Returns per line whether the line belongs to a fenced code block, fences included.

    A fence closes with at least as many marks of its kind and nothing behind; an unclosed fence
    runs to the end. Any indentation is allowed.
    """
    mask = []
    fence = ""
    for line in lines:
        match = _FENCE.match(line) if "```" in line or "~~~" in line else None
        mask.append(bool(fence or match))
        if match is None:
            continue
        marks, info = match.groups()
        if not fence:
            fence = marks
        elif marks.startswith(fence) and _BLANK.fullmatch(info):
            fence = ""
    return mask
