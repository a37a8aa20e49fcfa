"""Paths of assertions into a result: `content[*].text`, `data["odd name"]`."""

from __future__ import annotations

import re
from typing import Final

EACH: Final = "*"
"""Step to every element."""

DEEP: Final = "**"
"""Step to a value and all its descendants."""

Steps = tuple[str | int, ...]
"""Member names, indexes from 0, `EACH` and `DEEP`; a quoted name is a `Member`."""

_STEP = re.compile(
    r"(?P<dot>\.)?(?P<name>\*\*|[^\s.\[\]\"*]+)"
    r"|\[(?P<index>\d{1,9})\]"
    r"|\[(?P<each>\*)\]"
    r"|\[\"(?P<quoted>(?:[^\"\\]|\\[\"\\])*)\"\]"
)


class Member(str):
    """A quoted member name, so that `"*"` is a name instead of a wildcard."""

    __slots__ = ()


def path_steps(path: str) -> Steps | None:
    """Returns the steps of a path, None for a syntax error.

    `content[0].text` gives `("content", 0, "text")`.
    """
    steps: list[str | int] = []
    position = 0
    while position < len(path):
        match = _STEP.match(path, position)
        if match is None or (match["name"] is not None and bool(match["dot"]) != bool(position)):
            return None
        if match["name"] is not None:
            steps.append(match["name"])
        elif match["index"] is not None:
            steps.append(int(match["index"]))
        elif match["each"]:
            steps.append(EACH)
        else:
            steps.append(Member(re.sub(r"\\(.)", r"\1", match["quoted"])))
        position = match.end()
    return tuple(steps) or None


def is_each(step: str | int) -> bool:
    """True for the wildcard step `*`."""
    return step == EACH and not isinstance(step, Member)


def is_deep(step: str | int) -> bool:
    """True for the descendant step `**`."""
    return step == DEEP and not isinstance(step, Member)
