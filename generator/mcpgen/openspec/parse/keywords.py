"""The words that steps begin with: English, and those that Gherkin has in other languages."""

from __future__ import annotations

import re

from mcpgen.openspec.model.markdown import SPACE
from mcpgen.openspec.model.requirements import Role
from mcpgen.openspec.parse.lines import SPACES

ROLES = {"GIVEN": Role.GIVEN, "WHEN": Role.WHEN, "THEN": Role.THEN}
"""The parts that keywords name; AND and BUT continue the one before."""

ENGLISH = ("GIVEN", "WHEN", "THEN", "AND", "BUT")

WORDS: dict[str, tuple[str, ...]] = {
    "GIVEN": (
        *("GIVEN", "DADO", "DADA", "DADOS", "DADAS", "ÉTANT DONNÉ", "ÉTANT DONNÉ QUE", "SOIT"),
        *("ANGENOMMEN", "GEGEBEN", "GEGEBEN SEI", "DATO", "ДАНО", "ДОПУСТИМ", "ПУСТЬ"),
        *("GEGEVEN", "ZAKŁADAJĄC", "假设", "假如", "假定", "给定", "前提", "조건", "먼저"),
        *("DIYELIM KI", "EĞER KI", "GITT", "GIVET", "HA"),
    ),
    "WHEN": (
        *("WHEN", "CUANDO", "QUANDO", "QUAND", "LORSQUE", "WENN", "КОГДА", "ЕСЛИ", "WANNEER"),
        *("ALS", "JEŚLI", "JEŻELI", "GDY", "KIEDY", "当", "當", "如果", "もし", "만일", "만약"),
        *("EĞER", "NÅR", "NÄR", "КОЛИ", "ЯКЩО"),
    ),
    "THEN": (
        *("THEN", "ENTONCES", "ENTÃO", "ENTAO", "ALORS", "DONC", "DANN", "ALLORA", "ТОГДА", "ТО"),
        *("DAN", "WTEDY", "那么", "那麼", "则", "則", "ならば", "そのとき", "그러면", "O ZAMAN"),
        *("SÅ", "ТОДІ"),
    ),
    "AND": (
        *("AND", "Y", "E", "ET", "ET QUE", "UND", "И", "EN", "ORAZ", "I", "并且", "並且", "而且"),
        *("同时", "同時", "且", "かつ", "그리고", "VE", "OG", "OCH", "ТА", "К ТОМУ ЖЕ", "ТАКЖЕ"),
    ),
    "BUT": (
        *("BUT", "PERO", "MAS", "MAIS", "ABER", "MA", "НО", "А", "MAAR", "ALE", "但是", "但"),
        *("しかし", "但し", "ただし", "하지만", "단", "AMA", "FAKAT", "MEN", "АЛЕ"),
    ),
}
"""Spellings in upper case by the English keyword; the other languages' are Gherkin's;
https://cucumber.io/docs/gherkin/languages."""

KEYWORDS = {word: keyword for keyword, words in WORDS.items() for word in words}

_LATIN = re.compile(r"[A-ZÀ-ɏ]")
_WORD = re.compile(rf"[^{SPACE}:：,，、。*_`]+")
_ENDS = frozenset(":：,，、。*_`") | frozenset(SPACES)

_BY_WORD: dict[str, list[str]] = {}
for _words in sorted(KEYWORDS, key=len, reverse=True):
    _BY_WORD.setdefault(_words.split()[0], []).append(_words)


def keyword_at(text: str, start: int) -> str:
    """How the keyword that stands at an index of a text is written there; `""` where none does."""
    word = _WORD.match(text, start)
    for words in _BY_WORD.get(word[0].upper(), ()) if word else ():
        end = start + len(words)
        ended = end >= len(text) or text[end] in _ENDS
        if ended and text[start:end].upper() == words:
            return text[start:end]
    return ""


def plain_enough(spelt: str) -> bool:
    """Whether a keyword needs no emphasis to be one. A word of another language in the same letters
    does unless it is in capitals: an English bullet may well begin with `Als`, or with `E`."""
    word = spelt.upper()
    return word in ENGLISH or not _LATIN.match(word) or (len(word) > 1 and spelt == word)
