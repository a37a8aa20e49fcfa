"""Patterns of names in prose: in back-ticks or bare, single or in a list."""

from __future__ import annotations

import re

NAME = r"[A-Za-z][A-Za-z0-9]*(?:[_.-][A-Za-z0-9]+)*"
TICKED = rf"`({NAME})`"
SNAKE = r"[a-z][a-z0-9]*(?:_[a-z0-9]+)+"
"""A name that cannot be an English word."""

SHALL = r"(?:SHALL|MUST|shall|must)"
SHALL_NOT = rf"(?:{SHALL} (?:NOT|not)|cannot)"
CONDITION = re.compile(r"\b(?:where|when|whenever|if|only|unless|some)\b")
"""Words that restrict the preceding demand to some cases."""

_TICKED_LIST = re.compile(rf"\s*(?:,\s*(?:and|or|plus)?|and|or|/)?\s*`({NAME})`")
_BARE_LIST = re.compile(r"[a-z][a-z0-9_]*(?:, [a-z][a-z0-9_]*)+,? and [a-z][a-z0-9_]*\b")
_NAME = re.compile(NAME)


def parse_name_list(text: str, start: int) -> tuple[tuple[str, ...], int]:
    """Returns the names of the list at `start` and the end of the list; empty without a list.

    A bare list has at least three names, and at least one with an underscore.
    """
    names = []
    end = start
    while match := _TICKED_LIST.match(text, end):
        names.append(match[1])
        end = match.end()
    if names:
        return tuple(names), end
    blank = len(text[start:]) - len(text[start:].lstrip())
    bare = _BARE_LIST.match(text, start + blank)
    if bare is None:
        return (), start
    found = tuple(name for name in _NAME.findall(bare[0]) if name != "and")
    return (found, bare.end()) if len(found) > 2 and re.search(SNAKE, bare[0]) else ((), start)


def names_in(text: str) -> tuple[str, ...]:
    """Returns the names in back-ticks; in text without back-ticks the names with an underscore."""
    ticked = re.findall(TICKED, text)
    if ticked or "`" in text:
        return tuple(dict.fromkeys(ticked))
    return tuple(dict.fromkeys(re.findall(rf"(?<![\w.\"']){SNAKE}(?![\w(.])", text)))
