"""The specification of a key of `mcpgen.toml`: path, type and permitted values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mcpgen.config.reader import ConfigReader


class KeyType(StrEnum):
    """The type of a key's value, in the words of a message."""

    STRING = "a string"
    INTEGER = "a whole number"
    BOOLEAN = "true or false"
    SELECTORS = "a list of selectors"
    NAMES = "a table of strings"
    FIELDS = "a table of lists of strings"
    TEXTS = "a list of strings"
    CHOICES = "a table of strings, which may repeat"
    TABLE = "a table"
    TABLES = "a table of tables"
    VALUE = "a string, a number, true, false, a list or a table"


Read = Callable[["ConfigReader", "KeySpec", Any, tuple[str, ...]], Any]
"""Reads the value of a key at a path, and reports errors in the value."""


@dataclass(frozen=True, slots=True)
class KeySpec:
    """A key. `path` is dotted from the document's root; `must` describes the values that `fits`
    accepts, for the message about other values; `meaning` is the first sentence of the
    documentation, and `example` a line of a table of the user's own keys. `read` reads a value of
    more structure than a `KeyType`."""

    path: str
    kind: KeyType
    default: Any
    meaning: str
    must: str = ""
    fits: Callable[[Any], bool] = bool
    example: str = ""
    read: Read | None = None


def within(low: int, high: int) -> Callable[[int], bool]:
    """Tells whether a number is in the range, both ends included."""
    return lambda number: low <= number <= high


def text(path: str, meaning: str, must: str, fits: Callable[[str], bool]) -> KeySpec:
    """A key for a string that may be left empty."""
    return KeySpec(
        path, KeyType.STRING, "", meaning, must, lambda given: given == "" or fits(given)
    )


def choice(path: str, meaning: str, choices: type[StrEnum]) -> KeySpec:
    """A key for a word of an enumeration, the first word by default."""
    words = [str(each) for each in choices]
    must = "one of " + ", ".join(f"`{word}`" for word in words)
    return KeySpec(path, KeyType.STRING, words[0], meaning, must, lambda given: given in words)
