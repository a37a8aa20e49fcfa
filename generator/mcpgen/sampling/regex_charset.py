"""The characters that an item of a regular expression stands for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

Node = tuple[Any, Any]
"""A node of Python's parse tree: its kind and its argument."""

LETTERS = "aA0b1B2-_. c3C"
"""Characters to choose from, those first that mean least."""

PRINTABLE = LETTERS + "".join(map(chr, range(0x21, 0x7F))) + "\n\té"

CATEGORIES: dict[str, Callable[[str], bool]] = {
    "CATEGORY_DIGIT": lambda character: character in "0123456789",
    "CATEGORY_NOT_DIGIT": lambda character: character not in "0123456789",
    "CATEGORY_WORD": lambda character: character == "_"
    or (character.isascii() and character.isalnum()),
    "CATEGORY_NOT_WORD": lambda character: not (character == "_" or character.isalnum()),
    "CATEGORY_SPACE": str.isspace,
    "CATEGORY_NOT_SPACE": lambda character: not character.isspace(),
}


@lru_cache(maxsize=1_000)
def class_members(items: tuple[Node, ...]) -> str:
    """The printable characters of a class; its first one, however rare, where there are none."""
    negated = str(items[0][0]) == "NEGATE"
    found = "".join(character for character in PRINTABLE if _is_in(character, items) is not negated)
    return found or ("" if negated else _first(*items[0]))


def _first(kind: Any, value: Any) -> str:
    """The first character of an item of a class."""
    if str(kind) == "RANGE":
        return chr(value[0])
    return chr(value) if str(kind) == "LITERAL" else ""


def _is_in(character: str, items: Sequence[Node]) -> bool:
    return any(_covers(str(kind), value, character) for kind, value in items)


def _covers(kind: str, value: Any, character: str) -> bool:
    if kind == "LITERAL":
        return bool(ord(character) == value)
    if kind == "RANGE":
        low, high = value
        return bool(low <= ord(character) <= high)
    return kind == "CATEGORY" and CATEGORIES[str(value)](character)
