"""The word that was probably meant."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def closest_word(word: str, known: Iterable[str]) -> str:
    """A hint that names the known word closest to `word`, or `""` where none is close."""
    found = difflib.get_close_matches(word, sorted(known), n=1, cutoff=0.7)
    return f"did you mean `{found[0]}`?" if found else ""
