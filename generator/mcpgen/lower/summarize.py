"""Summaries of prose: classifies sentences, drops filler, shortens phrases."""

from __future__ import annotations

import re
from functools import lru_cache

from mcpgen.lower.sanitize_text import sentences, truncate

_ARTICLE = r"(?:the|an?|this is the|this is an?)"
_BRIEF = tuple(
    (re.compile(wordy, re.IGNORECASE), shorten_phrases)
    for wordy, shorten_phrases in (
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


def shorten_phrases(sentence: str) -> str:
    """Returns a sentence with a shorter beginning, capitalized: `The list of the pets` becomes
    `Pets`."""
    for wordy, put in _BRIEF:
        sentence = wordy.sub(put, sentence, count=1)
    return sentence[:1].upper() + sentence[1:]


_MAX_SENTENCE = 1_000
"""Characters of the longest text treated as a sentence."""


def _any_pattern(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.IGNORECASE)


_POINTER = _any_pattern(
    r"^\W*(?:note: ?)?(?:please )?(?:see|refer to|consult|visit)\b",
    r"^\W*(?:read (?:more|about|the (?:docs|documentation|guide))|learn (?:more|about|how)|click)\b",
    r"^\W*(?:for|to)\b.*[, ](?:please )?(?:see|refer to|read|consult|visit|check out)\b",
    r"^\W*for (?:more|further|additional|detailed) (?:information|info|details)\b",
    r"^\W*(?:more|further|additional|related) (?:info|information|details|documentation|guide)\b",
    r"^\W*https?://\S+\W*$",
)
"""Sends the reader to a page unavailable to a model."""

_RIGHTS = _any_pattern(
    r"\b(?:tokens?|users?|apps?|callers?|clients?|keys?|you)\b.{0,120}"
    r"\b(?:needs?|must (?:have|be|include)|requires?|should have)\b.{0,120}"
    r"\b(?:scopes?|permissions?|access|owners?|admin\w*|roles?|privileges?|authenticated|tokens?)\b",
    r"\b(?:requires?|needs?|required|must)\b.{0,120}"
    r"\b(?:scopes?|permissions?|privileges?|roles?|authentication|authorization|bearer)\b",
    r"^\W*(?:anyone|anybody|users?|only (?:the )?\w*users?) with\b.{0,120}\baccess\b",
    r"^\W*required (?:scopes?|permissions?|roles?)\b",
)
"""Permissions of the server's credentials, out of the caller's hands."""

_MECHANICS = _any_pattern(
    r"\b(?:send(?:ing)?|issu(?:e|ing)|mak(?:e|ing)) (?:an? )?(?:HTTP )?"
    r"(?:GET|POST|PUT|PATCH|DELETE|HEAD)\b",
    r"^\W*(?:the|a|an|no)?\s*(?:successful |api |json )?(?:response|request|result)s?"
    r"(?: body| object| payload)? (?:will|is|are|contains?|includes?|has|code)\b",
    r"\b(?:status(?: code)?|response|returns?|code)\b.{0,12}\b[1-5][0-9][0-9]\b",
    r"\b[1-5][0-9][0-9] (?:status|response|http|ok|no content|created|accepted)\b",
)
"""Mechanics of HTTP, which the server handles."""

_TOLERANCE = _any_pattern(r"\bnot case[- ]sensitive\b", r"\bcase[- ]insensitive\b")
"""Permissions without consequence, such as case-insensitivity."""

_ASIDE = _any_pattern(
    r"^\W*(?:note|notes|warning|important|caution|attention|tip|hint|disclaimer)\b",
    r"^\W*(?:closing down|deprecat|beta\b|preview\b|experimental\b|available\b)",
    r"^\W*we (?:recommend|suggest|advise|encourage)\b",
    r"\?\W*$",
)
"""A remark instead of a description."""

_FADING = _any_pattern(
    r"\bdeprecat\w*\b",
    r"\bclosing down\b",
    r"\bsunset\b",
    r"\bend[- ]of[- ]life\b",
    r"\b(?:will|has|have) be(?:en)? (?:removed|retired|discontinued)\b",
    r"\bno longer (?:supported|available|works?|used)\b",
    r"\bdo not use\b",
)
"""Tells the reader to go elsewhere, now or soon."""

_BINDING = _any_pattern(
    r"\b(?:must|shall|cannot|can['’]?t|not|never|nor|without|only|unless|except|excluding)\b",
    r"\b(?:requires?|required|mandatory|ignored|mutually exclusive|instead|at (?:least|most))\b",
    r"\b(?:up to|more than|less than|greater than|max(?:imum)?|min(?:imum)?|limit(?:ed|s)?)\b",
    r"\b(?:default(?:s|ed)?|between|range|unique|encoded|separated|format|prefix\w*|either)\b",
    r"\b(?:seconds?|milliseconds|minutes|hours|days|bytes|[kmg]i?b|cents|met(?:re|er)s?|percent|utc|unix|iso|rfc)\b",
    r"\b(?:valid|allowed|possible|supported|acceptable|accepted|permitted) values?\b",
    r"\b(?:irreversibl\w+|permanent\w*|undone|asynchronous\w*|overwrit\w+|replac\w+)\b",
)
"""Changes callability, allowed values or effect."""

_REVERSING = _any_pattern(
    r"\b(?:not|cannot|can['’]?t|n['’]t|never|nor|no|without|only|unless|except|excluding|until)\b",
    r"\b(?:if|when|provided|must|required|but|deprecated|ignored)\b",
)
"""Negates or narrows the preceding text."""

_LEANING = _any_pattern(
    r"^\W*(?:this|these|those|that|it|they|otherwise|however|but|also|then|instead|such|in (?:this|that|"
    r"these|those|which)|if so|if not|both|neither|either|the (?:former|latter|same))\b",
)
"""Refers to the preceding sentence."""

_FRONTED = _any_pattern(
    r"^\W*(?:when|if|unless|once|while|until|given|by default|for|in order to|to)\b"
)
"""Begins with a condition, so the subject comes last."""

_LEAD = re.compile(
    r"^(?:note: )?(?:use )?(?:this|the) (?:endpoint|method|operation|api|call|api call|resource|route"
    r"|request|function)(?: (?:allows?|lets?|enables?)(?: (?:you|users|clients|one))?(?: to)?"
    r"| (?:is|can be|may be) used to| will| to) (?=[a-z]+\b)(?!not\b|only\b|be\b|no\b|never\b|have\b)",
    re.IGNORECASE,
)
_TRAIL = re.compile(
    r"(?:,| \(|;| -)? ?(?:please )?(?:see|refer to)\b[^.()]{0,150}"
    r"\bfor (?:more|further|additional|details|information)\b[^.()]{0,150}\)?(?=\.?$)",
    re.IGNORECASE,
)
_SUBJECT = re.compile(
    r"^(?:this|the) (?:endpoint|method|operation|api|call|api call|route)"
    r" (?=(?!is |was |has |does |requires |needs |supports |only |also )[a-z]+s\b)",
    re.IGNORECASE,
)


@lru_cache(maxsize=16_384)
def points_away(sentence: str) -> bool:
    """True if a sentence only sends the reader to a different page.

    Example: `points_away("See the guide.")` gives `True`.
    """
    return bool(_POINTER.search(sentence))


@lru_cache(maxsize=16_384)
def is_overhead(sentence: str) -> bool:
    """True if a sentence is about credentials or HTTP mechanics."""
    start = sentence[:_MAX_SENTENCE]
    return bool(_RIGHTS.search(start) or _MECHANICS.search(start))


def is_aside(sentence: str) -> bool:
    """True if a sentence is a remark instead of a description."""
    return bool(_ASIDE.search(sentence))


def is_fading(sentence: str) -> bool:
    """True if a sentence announces a deprecation."""
    return bool(_FADING.search(sentence))


@lru_cache(maxsize=16_384)
def is_binding(sentence: str) -> bool:
    """True if a sentence changes callability, allowed values or effect."""
    return bool(_BINDING.search(sentence)) and not _TOLERANCE.search(sentence)


def negates(text: str) -> bool:
    """True if the text negates or narrows the preceding text."""
    return bool(_REVERSING.search(text))


def is_fronted(sentence: str) -> bool:
    """True if a sentence begins with a condition and names its subject last."""
    return bool(_FRONTED.search(sentence))


def refers_back(sentence: str) -> bool:
    """True if a sentence refers to the preceding one."""
    return bool(_LEANING.search(sentence))


def strip_preamble(sentence: str) -> str:
    """Returns the sentence without `This endpoint allows you to` and without a trailing pointer
    to a page.

    Example: `strip_preamble("This endpoint allows you to list pets.")` gives `'List pets.'`.
    """
    sentence = _TRAIL.sub("", sentence) if len(sentence) < _MAX_SENTENCE else sentence
    preamble = _LEAD.match(sentence) or _SUBJECT.match(sentence)
    remainder = sentence[preamble.end() :] if preamble else sentence
    return remainder[:1].upper() + remainder[1:] if preamble else sentence


_VALUE = re.compile(r"[\d`\"']")
_BRACKETS = re.compile(r" \([^()]*\)")
MAX_NEGATED_SENTENCE = 600
"""Characters of the longest sentence kept whole for a negation at its end."""


def descriptive_sentences(text: str) -> list[str]:
    """Returns the sentences that describe, in order."""
    return [strip_preamble(sentence) for sentence in sentences(text) if not points_away(sentence)]


def operation_sentences(text: str) -> list[str]:
    """Returns the sentences relevant to a caller, without permissions and HTTP mechanics."""
    return [
        sentence
        for sentence in descriptive_sentences(text)
        if is_fading(sentence) or not is_overhead(sentence)
    ]


def summarize(facts: list[str], room: int) -> str:
    """Returns the first descriptive sentence and later facts within `room` characters.

    Sentences are dropped whole, never truncated if that could invert the meaning; a sentence that
    refers back needs its predecessor. A deprecation always stays.
    """
    if not facts:
        return ""
    first = next((at for at, fact in enumerate(facts) if not is_aside(fact)), 0)
    parts = {first: shorten_sentence(facts[first], room)}
    used = len(parts[first])
    for at, sentence in enumerate(facts):
        if at in parts or not (is_binding(sentence) or is_fading(sentence)):
            continue
        group = [at]
        while refers_back(facts[group[0]]) and group[0] > 0 and group[0] - 1 not in parts:
            group.insert(0, group[0] - 1)
        size = sum(len(facts[index]) + 1 for index in group)
        if used + size <= room or is_fading(sentence):
            parts |= {
                index: shorten_sentence(facts[index], MAX_NEGATED_SENTENCE) for index in group
            }
            used += size
    further = [parts[at] for at in sorted(parts) if at != first]
    return " ".join([parts[first], *further])


def shorten_sentence(sentence: str, room: int) -> str:
    """Returns a sentence in `room` characters: without bracketed remarks, else cut at a word;
    whole if the cut part negates."""
    if len(sentence) <= room:
        return sentence
    bare = _BRACKETS.sub(_without_remark, sentence)
    if len(bare) <= room:
        return bare
    short = truncate(bare, room)
    if is_fronted(bare) or negates(bare[len(short) - 1 :]):
        return truncate(sentence, max(room, MAX_NEGATED_SENTENCE))
    opened = short.rfind("(")
    if opened > len(short) // 2 and ")" not in short[opened:]:
        short = short[:opened].rstrip(" .,;:") + "…"
    return short


def _without_remark(remark: re.Match[str]) -> str:
    """Returns `""` for a bracketed remark, the brackets if a caller needs them."""
    binding = is_binding(remark[0]) or negates(remark[0]) or _VALUE.search(remark[0])
    return remark[0] if binding else ""
