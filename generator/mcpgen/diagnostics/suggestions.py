"""Suggestions for a misspelled word: the hint "did you mean …?"."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def closest_match(word: str, candidates: Iterable[str], cutoff: float = 0.6) -> str:
    """The hint ``did you mean `name`?`` with the candidate most similar to `word`, or `""`.

    Example: ``closest_match("titel", ("title", "type"))`` is ``"did you mean `title`?"``.
    """
    matches = closest_matches(word, candidates, 1, cutoff)
    return f"did you mean `{matches[0]}`?" if matches else ""


def closest_matches(
    word: str, candidates: Iterable[str], max_count: int = 3, cutoff: float = 0.6
) -> list[str]:
    """Up to `max_count` candidates similar to `word`, best first, each once.

    `cutoff` is the least similarity, from 0 to 1 (`difflib.SequenceMatcher.ratio`).
    """
    names = dict.fromkeys(candidate for candidate in candidates if candidate)
    return difflib.get_close_matches(word, [*names], max_count, cutoff)
