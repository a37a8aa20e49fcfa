"""The words that steps begin with: English, and those that Gherkin has in other languages."""

from __future__ import annotations

import re
from collections.abc import Iterable

from mcpgen.ir.markdown import SPACE
from mcpgen.ir.requirements import Role

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

_NON_LATIN = tuple(word for word in KEYWORDS if not re.match(r"[A-ZÀ-ɏ]", word))


def _any(words: Iterable[str]) -> str:
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True))


_END = rf"(?=[{SPACE}:：,，、。*_`]|\Z)"

MARKED = re.compile(rf"(\*\*\*|\*\*|\*|__|_|`)({_any(KEYWORDS)}){_END}", re.I)
"""A keyword of any language at the beginning of emphasised text."""

PLAIN = re.compile(
    rf"((?i:{_any((*ENGLISH, *_NON_LATIN))})|{_any(word for word in KEYWORDS if len(word) > 1)}){_END}"
)
"""A keyword that is not emphasised. In capitals where it is a word of another language in the same
letters: a bullet may well begin with `Als`, or with `E`."""

CAPITAL = re.compile(rf"({_any((*ENGLISH, *map(str.capitalize, ENGLISH), *_NON_LATIN))}){_END}")
"""A keyword as it begins a sentence."""

SHOUTED = re.compile(rf"({_any((*ENGLISH, *_NON_LATIN))}){_END}")
"""A keyword in capitals."""
