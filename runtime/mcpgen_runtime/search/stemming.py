"""Splits text into words and reduces words to stems, so that different forms match."""

from __future__ import annotations

import re
from functools import lru_cache


def split_list(text: str) -> frozenset[str]:
    """The words of a space-separated list."""
    return frozenset(text.split())


_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_APOSTROPHE = re.compile(r"['’].*")
_VOWEL = re.compile(r"[aeiouy]")
_MARKUP = re.compile(r"<[^<>]{1,200}>")

_ENDINGS = (
    ("izations", "iz"),
    ("ization", "iz"),
    ("isation", "iz"),
    ("ations", ""),
    ("ation", ""),
    ("ating", ""),
    ("ated", ""),
    ("ate", ""),
    ("ments", ""),
    ("ment", ""),
    ("tions", "t"),
    ("tion", "t"),
    ("sions", "s"),
    ("sion", "s"),
    ("ising", "iz"),
    ("ised", "iz"),
    ("ise", "iz"),
    ("ings", ""),
    ("ing", ""),
    ("ed", ""),
    ("ly", ""),
)
"""Word endings and replacements; the first match applies."""

_MIN_STEM_LENGTH = 3
"""Minimum number of letters left after removing an ending."""

_WHOLE = split_list(
    "access address alias always analysis business canvas class kubernetes process progress redis "
    "series status this comment comments during element experience moment nothing something string "
    "thing things document documents bed need feed seed speed embed used using user users "
    "environment environments department pigment segment segments station stations nation "
    "promise precise exercise enterprise enterprises premise noise raise advertise king ring ping "
    "bring spring wing sing vision version versions mission missions session sessions action "
    "actions function functions option options section sections question region million only "
    "family reply apply supply assembly fly"
)
"""Words with no removable ending except the plural."""

_IRREGULAR = {
    form: base
    for base, forms in {
        "begin": "began begun",
        "break": "broke broken",
        "bring": "brought",
        "build": "built",
        "buy": "bought",
        "catch": "caught",
        "child": "children",
        "choose": "chose chosen",
        "draw": "drew drawn",
        "drive": "drove driven",
        "find": "found",
        "forget": "forgot forgotten",
        "freeze": "froze frozen",
        "get": "got gotten",
        "give": "gave given",
        "hide": "hid hidden",
        "hold": "held",
        "index": "indices",
        "keep": "kept",
        "lose": "lost",
        "make": "made",
        "pay": "paid",
        "run": "ran",
        "sell": "sold",
        "send": "sent",
        "spend": "spent",
        "steal": "stole stolen",
        "take": "took taken",
        "tell": "told",
        "throw": "threw thrown",
        "win": "won",
        "write": "wrote written",
    }.items()
    for form in forms.split()
}
"""Irregular forms and base words."""

_KEPT = ("ss", "us", "is")
"""Endings in `s` that are not plurals."""


def split_words(text: str) -> list[str]:
    """The words of a text or identifier, in lower case and in order."""
    words = _WORD.findall(_CAMEL.sub(" ", text).casefold())
    if "'" in text or "’" in text:
        return [_APOSTROPHE.sub("", word) for word in words]
    return words


def strip_tags(text: str) -> str:
    """The text without HTML tags."""
    return _MARKUP.sub(" ", text) if "<" in text else text


@lru_cache(65_536)
def stem_word(word: str) -> str:
    """The common stem of a word's forms; not a readable word."""
    if len(word) <= _MIN_STEM_LENGTH or not word.isascii() or not word.isalpha():
        return word
    word = _IRREGULAR.get(word, word)
    single = singular(word)
    if word in _WHOLE or single in _WHOLE:
        return _last(single)
    for ending, instead in _ENDINGS:
        if single.endswith(ending):
            stem = single[: -len(ending)]
            if len(stem) >= _MIN_STEM_LENGTH and _VOWEL.search(stem):
                return _last(_undoubled(stem) + instead)
    return _last(single)


def singular(word: str) -> str:
    """The word without a plural ending, judged by spelling only."""
    if not word.endswith("s") or word.endswith(_KEPT):
        return word
    if word.endswith("ies"):
        return f"{word[:-3]}y" if len(word) > 4 else word[:-1]
    if word.endswith(("sses", "xes", "ches", "shes", "zzes")):
        return word[:-2]
    return word[:-1]


def _undoubled(stem: str) -> str:
    doubled = stem[-1] == stem[-2] and stem[-1] not in "aeioulsz"
    return stem[:-1] if doubled else stem


def _last(stem: str) -> str:
    """Normalizes a final `e` or `y`, so that `merge` matches `merging`, and `try` matches
    `tried`."""
    if len(stem) > _MIN_STEM_LENGTH and stem.endswith("e"):
        stem = stem[:-1]
    if stem.endswith("y") and len(stem) > 2 and stem[-2] not in "aeiou":
        stem = f"{stem[:-1]}i"
    return stem
