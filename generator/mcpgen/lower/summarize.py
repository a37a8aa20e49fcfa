"""The gist of a text: its first useful sentence, then the facts that change a call."""

from __future__ import annotations

import re

from mcpgen.lower.sentence_rules import (
    binds,
    is_aside,
    is_fading,
    is_fronted,
    is_overhead,
    leans,
    points_away,
    reverses,
    strip_preamble,
)
from mcpgen.lower.text import sentences, truncate

_VALUE = re.compile(r"[\d`\"']")
_BRACKETS = re.compile(r" \([^()]*\)")
LONGEST = 600
"""The most characters of a sentence that is kept whole because its end may turn it around."""


def descriptive_sentences(text: str) -> list[str]:
    """The sentences of plain text that describe something themselves, in order."""
    return [strip_preamble(one) for one in sentences(text) if not points_away(one)]


def operation_sentences(text: str) -> list[str]:
    """The sentences about an operation that concern its caller: nothing of rights and of HTTP."""
    return [one for one in descriptive_sentences(text) if is_fading(one) or not is_overhead(one)]


def gist(found: list[str], room: int) -> str:
    """The first sentence that describes, and those facts after it that fit into `room` characters.

    A sentence is left out whole, never its end alone where that could turn it around, and one that
    leans on the sentence before it is not shown without it. That something is not to be used any
    longer is said whatever the room.
    """
    if not found:
        return ""
    first = next((at for at, one in enumerate(found) if not is_aside(one)), 0)
    kept = {first: shorten_sentence(found[first], room)}
    used = len(kept[first])
    for at, sentence in enumerate(found):
        if at in kept or not (binds(sentence) or is_fading(sentence)):
            continue
        group = [at]
        while leans(found[group[0]]) and group[0] > 0 and group[0] - 1 not in kept:
            group.insert(0, group[0] - 1)
        size = sum(len(found[each]) + 1 for each in group)
        if used + size <= room or is_fading(sentence):
            kept |= {each: shorten_sentence(found[each], LONGEST) for each in group}
            used += size
    rest = [kept[at] for at in sorted(kept) if at != first]
    return " ".join([kept[first], *rest])


def shorten_sentence(sentence: str, room: int) -> str:
    """A sentence in `room` characters: without remarks in brackets, else cut at a word; whole if
    what would be lost turns the rest around."""
    if len(sentence) <= room:
        return sentence
    bare = _BRACKETS.sub(_without_remark, sentence)
    if len(bare) <= room:
        return bare
    short = truncate(bare, room)
    if is_fronted(bare) or reverses(bare[len(short) - 1 :]):
        return truncate(sentence, max(room, LONGEST))
    opened = short.rfind("(")
    if opened > len(short) // 2 and ")" not in short[opened:]:
        short = short[:opened].rstrip(" .,;:") + "…"
    return short


def _without_remark(found: re.Match[str]) -> str:
    """Nothing in place of brackets, unless they hold what a caller has to know."""
    binding = binds(found[0]) or reverses(found[0]) or _VALUE.search(found[0])
    return found[0] if binding else ""
