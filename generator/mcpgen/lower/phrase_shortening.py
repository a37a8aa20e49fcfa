"""Wordy beginnings of a description in the few words that say the same, one spelling for all."""

from __future__ import annotations

import re

_ARTICLE = r"(?:the|an?|this is the|this is an?)"
_BRIEF = tuple(
    (re.compile(wordy, re.IGNORECASE), brief)
    for wordy, brief in (
        (
            rf"^(?:{_ARTICLE} )?(?:unique )?(?:identifier|ID) "
            r"(?:of|for|that (?:uniquely )?(?:identif(?:y|ies)|represents?)) ",
            "ID of ",
        ),
        (rf"^{_ARTICLE} number that (?:uniquely )?identifies ", "Number of "),
        (
            r"^(?:specifies|indicates|determines|defines|describes) (?=the |an? |how |what |which |whether )",
            "",
        ),
        (
            r"^(?:a )?(?:boolean )?(?:flag |value )?(?:that |which |to )?(?:specif(?:y|ying|ies)|indicat(?:e|ing|es)|"
            r"determin(?:e|ing|es)|controls?) (?:whether|if) (?:or not )?",
            "Whether ",
        ),
        (r"^whether or not ", "Whether "),
        (r"^(?:if|when) (?:specified|provided|set|given|present), (?=[a-z])", ""),
        (r"^(?:an|the) (?:array|list|set) (?:of|containing) (?:the )?", ""),
        (rf"^{_ARTICLE} ", ""),
    )
)


def brief(sentence: str) -> str:
    """The beginning of a description in its shortest spelling, with a capital letter."""
    for wordy, put in _BRIEF:
        sentence = wordy.sub(put, sentence, count=1)
    return sentence[:1].upper() + sentence[1:]
