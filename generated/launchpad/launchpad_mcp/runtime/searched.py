"""What it takes to search a text for a pattern, told by what the pattern looks like."""

from __future__ import annotations

import re
from functools import lru_cache
from math import prod

QUICK = 500
"""How often what a pattern repeats may be counted, so that it is searched for character by character."""

_AT_LEAST, _SQUARE = 500, 50
"""What a search that goes back counts for at least, and how many characters count for one when each is
looked at for each."""

_COUNTED = 1_000
"""How many times a character is looked at for one count; beyond the largest, no pattern is taken."""

_LARGEST = 100_000

_GOES_BACK = re.compile(r"\(\?(?!:)|\\[1-9kKGR]|[*+?}]\+(?!\])")
"""What only patterns have that are not searched for in one go: they look around, or repeat a group."""

_REPEATED = re.compile(r"(\))?\{(\d{1,6})?(?:,(\d{0,6}))?\}")


def is_quick(pattern: str) -> bool:
    """Whether a search takes next to nothing for each character, whatever the text is."""
    return _GOES_BACK.search(pattern) is None and _repeats(pattern) <= QUICK


@lru_cache(maxsize=512)
def search(pattern: str, length: int) -> int:
    """What the search in a text of some length takes, beside looking at it once: how many schemas could
    be asked meanwhile."""
    if is_quick(pattern):
        return 0
    if _GOES_BACK.search(pattern):
        return _AT_LEAST + length**2 // _SQUARE
    return length * _repeats(pattern) // _COUNTED


def _repeats(pattern: str) -> int:
    """How often what is counted in a pattern is repeated at most, if each group holds all the rest."""
    counts = [(int(most or least or 1), group) for group, least, most in _REPEATED.findall(pattern)]
    alone = sum(count for count, group in counts if not group)
    return min(max(alone, 1) * prod(count for count, group in counts if group), _LARGEST)
