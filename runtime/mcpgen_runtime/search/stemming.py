"""Text as words, and words as stems: what a search compares instead of letters."""

from __future__ import annotations

import re
from functools import lru_cache


def split_list(text: str) -> frozenset[str]:
    """The words of a list that is written as one text."""
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
"""Endings and what stands for them, the first that fits; something must be left before it."""

_LEAST = 3
"""Letters that an ending must leave."""

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
"""Words whose endings are no endings; of them only the plural is taken away."""

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
"""Forms that no ending tells."""

_KEPT = ("ss", "us", "is")
"""What ends in `s` without being a plural."""


def split_words(text: str) -> list[str]:
    """The words of a text or of a name in any style, in lower case and order."""
    found = _WORD.findall(_CAMEL.sub(" ", text).casefold())
    if "'" in text or "’" in text:
        return [_APOSTROPHE.sub("", word) for word in found]
    return found


def strip_tags(text: str) -> str:
    """A text without the tags that some descriptions are written in."""
    return _MARKUP.sub(" ", text) if "<" in text else text


@lru_cache(65_536)
def stem_word(word: str) -> str:
    """What the forms of a word have in common; no word for people to read."""
    if len(word) <= _LEAST or not word.isascii() or not word.isalpha():
        return word
    word = _IRREGULAR.get(word, word)
    single = singular(word)
    if word in _WHOLE or single in _WHOLE:
        return _last(single)
    for ending, instead in _ENDINGS:
        if single.endswith(ending):
            left = single[: -len(ending)]
            if len(left) >= _LEAST and _VOWEL.search(left):
                return _last(_undoubled(left) + instead)
    return _last(single)


def singular(word: str) -> str:
    """The word without the ending of a plural, as far as spelling tells."""
    if not word.endswith("s") or word.endswith(_KEPT):
        return word
    if word.endswith("ies"):
        return f"{word[:-3]}y" if len(word) > 4 else word[:-1]
    if word.endswith(("sses", "xes", "ches", "shes", "zzes")):
        return word[:-2]
    return word[:-1]


def _undoubled(left: str) -> str:
    doubled = left[-1] == left[-2] and left[-1] not in "aeioulsz"
    return left[:-1] if doubled else left


def _last(left: str) -> str:
    """Without a final `e`, and with `i` for a final `y`: `merge` and `merging`, `try` and `tried`."""
    if len(left) > _LEAST and left.endswith("e"):
        left = left[:-1]
    if left.endswith("y") and len(left) > 2 and left[-2] not in "aeiou":
        left = f"{left[:-1]}i"
    return left
