"""What it takes to search a text for a pattern, told by what the pattern looks like."""

from __future__ import annotations

import re
from functools import lru_cache
from math import prod

QUICK = 500
"""How often what a pattern repeats may be counted, so that it is searched for character by character."""

_AT_LEAST, _SQUARE = 500, 1_000
"""What a search that goes back counts for at least, and how many characters count for one when each is
looked at for each."""

_COUNTED = 100
"""How many times a character is looked at for one count; beyond the largest, no pattern is taken."""

_LARGEST = 100_000

_LITERAL = re.compile(r"\\[pP]\{[^}]*\}|\\[^1-9kKGR]|\[(?:\\.|[^\]\\])*\]", re.DOTALL)
"""What matches one character, and holds no syntax: escaped ones, properties and classes."""

_AHEAD = re.compile(r"\^(?:\(\?[=!](?:[^()]|\((?:\?:)?(?!\?)[^()]*\))*\))+(?![*+?{])")
"""Looks ahead from the start, which are taken once each: most often for a text that is not blank."""

_GROUP = re.compile(r"\([^()]*\)")

_GOES_BACK = re.compile(r"\(\?(?!:|P?<[A-Za-z_]|[imsuU-]+[:)])|\\[1-9kKGR]|[*+?}]\+")
"""What only patterns have that are not searched for in one go: they look around, or repeat a group."""

_REPEATED = re.compile(r"(\))?\{(\d{1,40})?(?:,(\d{0,40}))?\}")


def is_quick(pattern: str) -> bool:
    """Whether a search takes next to nothing for each character, whatever the text is."""
    return search(pattern, 0) == 0


@lru_cache(maxsize=512)
def search(pattern: str, length: int) -> int:
    """What the search in a text of some length takes, beside looking at it once: how many schemas could
    be asked meanwhile."""
    goes_back, repeats = _looks(pattern)
    if goes_back:
        return _AT_LEAST + length**2 // _SQUARE
    return 0 if repeats <= QUICK else 1 + length * repeats // _COUNTED


@lru_cache(maxsize=512)
def _looks(pattern: str) -> tuple[bool, int]:
    """Whether a pattern goes back, and how often it repeats what it counts."""
    bare = _LITERAL.sub("x", pattern)
    ahead = _AHEAD.match(bare)
    # With alternatives the rest is searched for wherever the first one is not found.
    rest = bare[ahead.end() :] if ahead else bare
    if ahead and "|" in _GROUP.sub("x", rest):
        rest = bare
    return _GOES_BACK.search(rest) is not None, _repeats(bare)


def _repeats(bare: str) -> int:
    """How often what is counted in a pattern is repeated at most, if each group holds all the rest."""
    counts = [
        (int(most or least or 1) or 1, group) for group, least, most in _REPEATED.findall(bare)
    ]
    alone = sum(count for count, group in counts if not group)
    return min(max(alone, 1) * prod(count for count, group in counts if group), _LARGEST)
