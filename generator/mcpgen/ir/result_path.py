"""The paths by which an assertion finds values in a result: `content[*].text`, `data["odd name"]`."""

from __future__ import annotations

import re
from typing import Final

EACH: Final = "*"
"""The step that goes to every element."""

DEEP: Final = "**"
"""The step that goes to a value and to all that stands in it, however deep."""

Steps = tuple[str | int, ...]
"""Names of members, indexes from 0, `EACH` and `DEEP`; a member called like these is a `Member`."""

_STEP = re.compile(
    r"(?P<dot>\.)?(?P<name>\*\*|[^\s.\[\]\"*]+)"
    r"|\[(?P<index>\d{1,9})\]"
    r"|\[(?P<each>\*)\]"
    r"|\[\"(?P<quoted>(?:[^\"\\]|\\[\"\\])*)\"\]"
)


class Member(str):
    """The name of a member that was written in quotes, so that `"*"` is a name and not every one."""

    __slots__ = ()


def path_steps(path: str) -> Steps | None:
    """The steps of a path, or None for a text that is none."""
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
    """Whether a step goes to every element."""
    return step == EACH and not isinstance(step, Member)


def is_deep(step: str | int) -> bool:
    """Whether a step goes to everything below."""
    return step == DEEP and not isinstance(step, Member)
