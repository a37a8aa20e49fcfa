"""What a description already says of the facts that would be put after it."""

from __future__ import annotations

import re
from collections.abc import Sequence

_DEFAULT = re.compile(r"^Default: (.+)\.$", re.DOTALL)
_ONE_OF = re.compile(r"^One of: (.+)\.$", re.DOTALL)
_BOUND = re.compile(r"At most |At least |Exactly |-?[\d.]+ to ")
_LIMITS = re.compile(r"\b(?:max|min|most|least|up to|between|range|from|limit|exceed|than|exactly)")
_NUMBER = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?")


def unsaid(demands: Sequence[str], said: str) -> list[str]:
    """The sentences about a schema that the prose does not say already."""
    return [sentence for sentence in demands if not _is_repeated(sentence, said)]


def _is_repeated(sentence: str, said: str) -> bool:
    spoken = said.lower()
    if _stands(sentence.rstrip(".").lower(), spoken):
        return True
    if sentence.startswith("ISO 8601"):
        return "8601" in spoken
    if found := _DEFAULT.match(sentence):
        return _after_default(found[1].lower(), spoken)
    if found := _ONE_OF.match(sentence):
        return all(_stands(value, said) for value in found[1].split(", "))
    if _BOUND.match(sentence):
        return _bounds(sentence, spoken)
    return False


def _after_default(value: str, spoken: str) -> bool:
    return any(_stands(value, part[:40]) for part in re.split(r"\bdefaults?(?:ed)?\b", spoken)[1:])


def _stands(value: str, spoken: str) -> bool:
    """Whether a value stands in a text as a word of its own."""
    # Most stand nowhere, and none needs a pattern of its own to find that out.
    if value not in spoken:
        return False
    return bool(re.search(rf"(?<![\w-]){re.escape(value)}(?![\w-])", spoken))


def _bounds(sentence: str, spoken: str) -> bool:
    """Whether every number of a bound stands in a text that speaks of bounds."""
    numbers, known = _numbers(sentence), _numbers(spoken)
    return bool(numbers) and numbers <= known and bool(_LIMITS.search(spoken))


def _numbers(text: str) -> set[float]:
    """The numbers in a text, without their signs."""
    return {float(each.replace(",", "")) for each in _NUMBER.findall(text)}
