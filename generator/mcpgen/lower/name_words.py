"""Names taken apart into words and put together again."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache

_LETTERS = str.maketrans(
    {"ß": "ss", "æ": "ae", "Æ": "Ae", "ø": "o", "Ø": "O", "œ": "oe", "Œ": "Oe", "ł": "l", "Ł": "L"}
    | {"đ": "d", "Đ": "D", "þ": "th", "Þ": "Th", "ı": "i", "’": "", "'": ""}
)
_WORD = re.compile(r"[A-Z]+s(?![a-z])|[A-Z]+(?![a-z])[0-9]*|[A-Z]?[a-z]+[0-9]*|[0-9]+")

_FILLING = """a all an and any are as at be by existing for from given has in into is it its of on
one or specific specified that the their this to using which whose with you your"""
_EMPTY = frozenset(_FILLING.split())
_LINKING = """a an and as at between by for from in into is of on or per than that the their to using via
which with without"""
_FUNCTION_WORDS = frozenset(_LINKING.split())
"""Words without meaning at the end of a name."""
_TELLING = frozenset(("between", "than", "without"))
"""Function words without which a name says something else."""
_ENDINGS = (
    ("ies", "y"),
    ("sses", "ss"),
    ("ches", "ch"),
    ("shes", "sh"),
    ("xes", "x"),
    ("ss", "ss"),
    ("us", "us"),
    ("is", "is"),
    ("s", ""),
)
"""Endings of plural and third person with their replacement; the first match counts."""

_SAME = {
    **dict.fromkeys(("fetch", "read", "retrieve", "return", "show", "view", "list"), "get"),
    **dict.fromkeys(("add", "make", "new", "post"), "create"),
    **dict.fromkeys(("change", "edit", "modify", "patch", "put"), "update"),
    **dict.fromkeys(("destroy", "remove"), "delete"),
}
"""Verbs with the same meaning for a tool, mapped to one verb."""


def name_words(text: str) -> list[str]:
    """Returns the words of a name or phrase as lower-case ASCII letters and digits.

    `listPetsV2` gives `["list", "pets", "v2"]`, `HTTPServer` gives two; accents are stripped,
    letters of non-Latin scripts dropped.
    """
    return list(_cached_name_words(text))


@lru_cache(maxsize=16_384)
def _cached_name_words(text: str) -> tuple[str, ...]:
    """As `name_words`; kept, because the same names stand in a document over and over."""
    ascii_text = unicodedata.normalize("NFKD", text.translate(_LETTERS))
    ascii_text = ascii_text.encode("ascii", "ignore").decode()
    return tuple(word.lower() for word in _WORD.findall(ascii_text))


@lru_cache(maxsize=4_096)
def meaning(text: str) -> frozenset[str]:
    """Returns the meaningful words of a text in their basic form.

    `Lists all the pets` and `list_pet` give the same set.
    """
    return frozenset(_basic(word) for word in name_words(text) if word not in _EMPTY)


@lru_cache(maxsize=10_000)
def _basic(word: str) -> str:
    """Returns the stem of a word, or of the usual verb for the same action."""
    return _SAME.get(name_stem(word), name_stem(word))


def name_stem(word: str) -> str:
    """Returns a word without the ending of plural or third person.

    Example: `name_stem("lists")` gives `'list'`.
    """
    for ending, put in _ENDINGS:
        if word.endswith(ending) and len(word) > len(ending) + 1:
            return word.removesuffix(ending) + put
    return word


def snake(text: str) -> str:
    """Returns the words of `text` in snake_case; `""` without words.

    Example: `snake("ListAPIKeys")` gives `'list_api_keys'`.
    """
    return "_".join(name_words(text))


def shorten(parts: list[str], limit: int) -> str:
    """Returns the words joined by `_`, cut to `limit` characters at a word boundary.

    Does not end with a function word (`created_between_and`). A single word longer than `limit` is
    cut inside.
    """
    words = [parts[0][:limit]] if parts else []
    room = limit - sum(map(len, words))
    for word in parts[1:]:
        room -= 1 + len(word)
        if room < 0:
            break
        words.append(word)
    if len(words) < len(parts):
        while len(words) > 1 and words[-1] in _FUNCTION_WORDS:
            words.pop()
    return "_".join(words)


def without_linking(parts: list[str]) -> list[str]:
    """Returns the words in order, without those that only link others: `for`, `of`, `with`."""
    return [word for word in parts if word not in _FUNCTION_WORDS or word in _TELLING]


def unique(name: str, limit: int, taken: Callable[[str], bool], tried: int = 1) -> str:
    """Returns `name`, else `name` with the first free number (`_2`, `_3` …) above `tried`, at
    most `limit` characters."""
    number = tried
    candidate = name
    while taken(candidate):
        number += 1
        suffix = f"_{number}"
        candidate = name[: limit - len(suffix)].rstrip("_") + suffix
    return candidate
