"""Prose of the document as plain text: without markup, invisible characters and prompt
injections."""

from __future__ import annotations

import html
import re
import unicodedata
from functools import lru_cache

from mcpgen.diagnostics import Diagnostics, Location
from mcpgen.diagnostics.codes import lower as codes
from mcpgen.ir.source import INVISIBLE_CHARACTERS

_INVISIBLE = {"Cc", "Cf", "Cs", "Co", "Cn"}
_WITHOUT_INVISIBLE = dict.fromkeys(INVISIBLE_CHARACTERS)
_WITHOUT_GLYPHLESS = dict.fromkeys(INVISIBLE_CHARACTERS.difference(range(0xFE00, 0xFE10)))
"""Deletes invisible characters; U+FE0F and its range choose between the text and the emoji form of
the character before."""
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_STYLE = re.compile(r"<(style|script)\b[^<>]{0,500}>.*?(?:</\1\s*>|\Z)", re.DOTALL | re.IGNORECASE)
_FENCE = re.compile(r"^[ \t]*(```|~~~).*?(?:^[ \t]*\1[ \t]*$|\Z)", re.DOTALL | re.MULTILINE)
_TAG = re.compile(r"</?[A-Za-z][^<>]{0,500}>")
_IMAGE = re.compile(r"!\[([^\]]{0,300})\]\([^)\s]{0,2000}[^)]{0,300}\)")
_LINK = re.compile(r"\[([^\]]{1,300})\](?:\([^)\s]{0,2000}[^)]{0,300}\)|\[[^\]]{0,100}\])")
_HEADING = re.compile(r"^[ \t]{0,3}#{1,6}[ \t]+.*$", re.MULTILINE)
_ADMONITION = re.compile(r"\[!(?:NOTE|TIP|IMPORTANT|WARNING|CAUTION)\]|^:::.*$", re.MULTILINE)
_BULLET = re.compile(r"^[ \t]*(?:[-*+>|]|\d+[.)])[ \t]+", re.MULTILINE)
_RULE = re.compile(r"^[ \t|:=*_-]{3,}$", re.MULTILINE)
_EMPHASIS = re.compile(r"\*{1,3}(?=\S)([^*\n]+?)(?<=\S)\*{1,3}")
_UNDERLINE = re.compile(r"(?<![\w`])_{1,2}(?=\S)([^_\n]+?)(?<=\S)_{1,2}(?![\w`])")
_PARAGRAPH = re.compile(r"(?<=[\w)\]`'\"])(?=[ \t]*\r?\n[ \t]*\r?\n[ \t]*[A-Z])")
_LOOSE = re.compile(r" +(?=[,;](?:\s|$))")
_SENTENCE_END = re.compile(r"(?<=[.!?])[\"')`]?\s+(?=[\"'(`]?[A-Z0-9]|https?://)")
_ABBREVIATION = re.compile(r"\b(?:e\.g|i\.e|etc|vs|cf|approx|No|Dr|Mr|Mrs|St|[A-Z])\.$")
MARKED = re.compile(r"[<>&#*_`~|=:+\[\]\n\t-]|  |\d[.)]")
"""A character that markup patterns need; text without such a character skips all of them."""
_ENCODED = re.compile(r"[A-Za-z0-9+/]+")
_Patterns = tuple[tuple[str, re.Pattern[str]], ...]
"""Patterns, each with a word in lower case without which the pattern need not be searched. To search for
every pattern took a tenth of the time of lowering GitHub's API."""


def _row_patterns(*rows: tuple[tuple[str, ...], str]) -> _Patterns:
    """Returns the patterns of rows; every match of a pattern contains a word of the row."""
    compiled = [(words, re.compile(pattern, re.IGNORECASE)) for words, pattern in rows]
    return tuple((word, pattern) for words, pattern in compiled for word in words)


_ORDERS = _row_patterns(
    (
        ("ignore ",),
        r"ignore (?:all |any |the |your )*(?:previous|prior|above|earlier|other) "
        r"(?:instruction|prompt|message|rule|direction|tool|context|guideline)"
        r"|ignore your (?:previous |prior |earlier )?(?:instruction|rule|guideline)",
    ),
    (
        ("disregard ",),
        r"disregard (?:all |any |the |your |previous |prior |earlier )+"
        r"(?:instruction|prompt|message|rule|direction|guideline)",
    ),
    (
        ("system prompt",),
        r"(?:reveal|print|repeat|output|ignore|show|override)\b.{0,20}\byour\b.{0,20}\bsystem prompt",
    ),
    (("important",), r"<\s*/?\s*important\s*>"),
    (
        ("you have been ", "you were "),
        r"(?:ignore|disregard|forget) (?:whatever|everything|anything|all|what) you (?:have been|were) (?:told|given|taught)"
        r"|(?:print|repeat|output|reveal|show)(?: out)? (?:all )?the instructions you (?:have been|were) given",
    ),
    (
        ("your true ", "your real ", "your actual "),
        r"your (?:true|real|actual) (?:task|goal|purpose|mission) is\b",
    ),
    (
        ("before you ",),
        r"before you (?:answer|reply|respond), (?:first )?(?:read|open|call|send|fetch|collect)\b",
    ),
    (
        ("do not ", "don't ", "never "),
        r"(?:do not|don't|never) (?:tell|inform|(?:mention|reveal)(?: this| it)? to) (?:the )?user",
    ),
    (("tool",), r"(?:always|first|never) (?:call|invoke|use) (?:this|another) [\w` -]{0,40}tool"),
    (
        ("as a ", "as an "),
        r"^\W*as an? (?:ai|assistant|language model),|^\W*as an ai you\b",
    ),
    (
        ("you are ",),
        r"you are now an? (?:unrestricted |unlimited |uncensored )?(?:ai|assistant|agent)\b"
        r"|^\W*you are an? (?:ai|assistant)\b",
    ),
)
"""Prompt injections, which are removed. Documentation of APIs does not match any pattern
(`tests/lower/labeled_sentences.py`)."""
_DOUBTS = _row_patterns(
    (
        ("you must ", "you should ", "you shall ", "you will ", "you have to "),
        r"you (?:must|should|shall|will|have to) (?:always|first|never|now) (?:call|use|read|send|invoke)",
    ),
    (
        ("telling ", "informing ", "asking "),
        r"(?:without|before) (?:telling|informing|asking) (?:the user|any|him|her|them)",
    ),
    (("disregard ",), r"disregard (?:all|any|the|your|previous) "),
    (
        ("system prompt",),
        r"(?:reveal|print|repeat|output|ignore|show|override)\b.{0,40}\bsystem prompt",
    ),
    (("tool",), r"(?:always|first|never) (?:call|invoke|use) the [\w` -]{0,40}tool"),
    (
        ("ai,", "ai:", "ais,", "ais:", "assistant", "llm", "agent", "chatbot", "override:"),
        r"^\W*(?:the )?(?:ai|assistant|llm|agent|chatbot)s?[,:]|\bllm (?:directive|instruction)|^\W*override:",
    ),
    (
        ("the user asks", "the user mentions", "the user refuses"),
        r"(?:if|when|whenever) the user (?:asks|mentions|refuses)\b.{0,60}\b(?:say|tell|answer|deny|claim)\b",
    ),
    (
        ("let the user ", "to yourself", "to the user as"),
        r"let the user (?:believe|think)|\bto yourself\b|present (?:it|them|this) to the user as",
    ),
    (
        ("without checking with ", "without asking ", "do what the "),
        r"without (?:checking with|asking) (?:anyone|anybody|the user)|do what the \w+ tells you",
    ),
    (
        ("you are ", "the user "),
        r"(?:user|person) you are (?:chatting|talking|speaking) with|\bthe user (?:typed|said|told you)",
    ),
    (
        ("from here on", "from now on", "for this user", "for this person"),
        r"you (?:write|draft|show|answer|send)\b.{0,20}\b(?:from (?:here|now) on|for this (?:user|person))",
    ),
    (("tools you ", "instructions you "), r"\b(?:tools|instructions) you (?:have|were given)\b"),
    (
        ("credentials", "ssh key", "private key", "environment variables"),
        r"(?:reveal|hand over|pass on|gather|collect|put|include)\b.{0,40}\b(?:stored|all|every|the|any)\b.{0,20}"
        r"\b(?:credentials|ssh keys?|private keys?|environment variables)\b.{0,40}(?:`|\Z|\b(?:in|into|to)\b)",
    ),
    (
        ("as a ", "as an ", "you are a"),
        r"as an? (?:ai|assistant|language model)\b|you are an? (?:ai|assistant|agent)\b",
    ),
)
"""Text addressed to a model or to the reader of documentation; more often the latter, so kept
and reported."""
_ORDERING = (
    "as a",
    "assistant",
    "agent",
    "chatbot",
    "credentials",
    "disregard ",
    "do not ",
    "environment",
    "ignore ",
    "important",
    "ing the user",
    " key",
    "llm",
    "override:",
    "system prompt",
    "the user",
    "tool",
    "without ",
    "you ",
    "your",
)
"""Words of which every injection contains one."""


@lru_cache(maxsize=16_384)
def plain_text(text: str) -> str:
    """Returns `text` on one line without Markdown, HTML, invisible and bidirectional characters.

    `"**List** <b>pets</b>"` gives `"List pets"`.
    """
    if not text:
        return ""
    text = text[:20_000]
    return _LOOSE.sub("", strip_invisible(strip_markup(text) if MARKED.search(text) else text))


def strip_markup(text: str) -> str:
    """`text` without Markdown and HTML.

    Example: `strip_markup("**Lists** [pets](https://example.com)")` gives `'Lists pets'`.
    """
    text = _FENCE.sub(" ", _STYLE.sub(" ", _COMMENT.sub(" ", text)))
    text = _ADMONITION.sub(" ", _HEADING.sub(" ", _RULE.sub(" ", text)))
    text = _PARAGRAPH.sub(".", _BULLET.sub("", text))
    text = _LINK.sub(r"\1", _IMAGE.sub(" ", text))
    text = _TAG.sub(" ", html.unescape(_TAG.sub(" ", text)))
    return _UNDERLINE.sub(r"\1", _EMPHASIS.sub(r"\1", text)).replace("**", "")


def strip_invisible(text: str) -> str:
    """Returns `text` on one line without invisible characters."""
    spaced = " ".join(text.split())
    if not spaced.isascii():
        spaced = " ".join(spaced.translate(_WITHOUT_GLYPHLESS).split())
    if spaced.isprintable():
        return spaced
    visible = "".join(c for c in spaced if unicodedata.category(c) not in _INVISIBLE)
    return " ".join(visible.split())


def strip_invisible_lines(text: str) -> str:
    """Returns `text` with its lines and without invisible characters."""
    normalized = text.replace("\r\n", "\n").translate(_WITHOUT_GLYPHLESS)
    return "".join(
        c for c in normalized if c in "\n\t" or unicodedata.category(c) not in _INVISIBLE
    )


def sentences(text: str) -> list[str]:
    """Splits plain text into sentences, in order; text without a full stop is one sentence.

    Example: `sentences("Lists pets. Needs a key.")` gives `['Lists pets.', 'Needs a key.']`.
    """
    parts: list[str] = []
    for piece in _SENTENCE_END.split(text):
        if parts and _ABBREVIATION.search(parts[-1]):
            parts[-1] += " " + piece
        elif piece:
            parts.append(piece)
    return parts


@lru_cache(maxsize=16_384)
def is_injection(sentence: str) -> bool:
    """True for a prompt injection, which documentation of an API does not contain."""
    return _matches_injection(_ORDERS, sentence)


@lru_cache(maxsize=16_384)
def is_doubtful(sentence: str) -> bool:
    """True for a possible prompt injection or encoded text that documentation also contains."""
    if any(map(_looks_like_base64, sentence.split())):
        return True
    return _matches_injection(_DOUBTS, sentence)


def _matches_injection(patterns: _Patterns, sentence: str) -> bool:
    """True if a pattern matches and the sentence contains a word of an injection. Non-ASCII text is
    searched for every pattern, without invisible characters: look-alike letters match
    case-insensitively."""
    if not sentence.isascii():
        sentence = sentence.translate(_WITHOUT_INVISIBLE)
    lowered = sentence.lower()
    is_ascii = sentence.isascii()
    for word, pattern in patterns:
        if (word in lowered or not is_ascii) and pattern.search(sentence):
            return not is_ascii or any(words in lowered for words in _ORDERING)
    return False


def _looks_like_base64(word: str) -> bool:
    """True for a word that looks like base64: 64 or more mixed letters and digits, not a path or
    URL."""
    if len(word) < 64:
        return False
    body = word.strip("`'\"().,;:").rstrip("=")
    return (
        len(body) >= 64
        and bool(_ENCODED.fullmatch(body))
        and body.count("/") * 12 < len(body)
        and any(c.isdigit() for c in body)
        and any(c.isupper() for c in body)
        and any(c.islower() for c in body)
    )


def truncate(text: str, limit: int) -> str:
    """Returns `text`, cut at a word boundary and marked by `…` to at most `limit` characters.

    `truncate("List all pets", 10)` gives `"List all…"`.
    """
    if len(text) <= limit:
        return text
    head = text[: max(limit - 1, 0)]
    space = head.rfind(" ")
    return (head[:space] if space > limit // 2 else head).rstrip(" .,;:(") + "…"


def end_sentence(text: str) -> str:
    """Returns `text` with a full stop unless `text` ends with punctuation.

    Example: `end_sentence("Lists pets")` gives `'Lists pets.'`.
    """
    return text if not text or text[-1] in ".!?…:" else text + "."


def sanitize(prose: str, at: Location, diagnostics: Diagnostics) -> str:
    """Returns prose as plain text without prompt injections, `""` if nothing remains. Doubtful text
    is kept.

    Adds SUSPICIOUS_TEXT and DOUBTFUL_TEXT.
    """
    text = plain_text(prose)
    if text and is_doubtful(text):
        for sentence in sentences(text):
            if is_doubtful(sentence) and not is_injection(sentence):
                diagnostics.add(codes.DOUBTFUL_TEXT, at, sentence=truncate(sentence, 80))
    if not text or not is_injection(text):
        return text
    safe: list[str] = []
    for sentence in sentences(text):
        if is_injection(sentence):
            excerpt = truncate(sentence, 80)
            diagnostics.add(codes.SUSPICIOUS_TEXT, at, sentence=excerpt)
        else:
            safe.append(sentence)
    # An injection may span sentences; then the whole text is dropped.
    return "" if is_injection(" ".join(safe)) else " ".join(safe)
