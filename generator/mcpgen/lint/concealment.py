"""Hidden text inside text, and normalization of disguised letters."""

from __future__ import annotations

import base64
import re
import unicodedata
from collections.abc import Iterator

_ROLE = r"(?:system|user|assistant|human|developer)"
_ESCAPE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|.)")
_TAGS = re.compile("[\U000e0020-\U000e007e]{4,}")
_BASE64 = re.compile(r"(?<![\w+/=-])[A-Za-z0-9+/_-]{32,}={0,2}(?![\w+/=-])")
_CODE = re.compile(
    r"^[ \t]*(```|~~~).*?(?:^[ \t]*\1[ \t]*$|\Z)|`[^`\n]+`", re.DOTALL | re.MULTILINE
)
_ASIDE = re.compile(
    r"<!--(?P<comment>.*?)(?:-->|\Z)"
    r"|^[ \t]*\[[^\]\n]{1,30}\]:[ \t]*<?#>?[ \t]*[(\"'](?P<markdown>[^\n]*)[)\"']"
    r"|<(?P<element>\w+)\b[^>]{0,200}(?:display:\s*none|visibility:\s*hidden|font-size:\s*0|opacity:\s*0(?![.\d])"
    r"|\shidden\b)[^>]{0,200}>(?P<unseen>.*?)(?:</(?P=element)>|\Z)"
    r"|\x1b\[(?:\d+;)*8m(?P<escaped>.*?)(?:\x1b\[|\Z)"
    r"|<(?P<tag>important|system|sys|instructions?|secret|hidden|admin|critical|assistant|prompt)>"
    r"(?P<wrapped>.*?)</(?P=tag)>"
    r"|(?:<\|\w+\|>|<</?SYS>>|\[/?INST\]|\[(?:system|admin|assistant|ai|important|hidden)[^\]\n]{0,30}\](?!\())"
    r"(?P<token>.*?)(?=<\||\[/?INST|<</?SYS|\Z)"
    rf"|(?:#+[ ]*|^\[?|(?<=[.!?][ ])\[?){_ROLE}\]?:(?P<turn>.*?)(?=\s(?:#+[ ]*)?{_ROLE}:|\Z)"
    rf"|\"role\"\s*:\s*\"{_ROLE}\"\s*,\s*\"content\"\s*:\s*\"(?P<json>(?:[^\"\\]|\\.)*)\"",
    re.DOTALL | re.IGNORECASE | re.MULTILINE,
)
"""Comments, elements without a display, escapes of terminals, wrappers and turns of a chat."""
_PARTS = ("comment", "markdown", "unseen", "escaped", "wrapped", "token", "turn", "json")
_ALIKE = str.maketrans(
    "АВЕЅІЈКМНОРСТУХаеѕіјорсухԁһӏԛԝ" + "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧοαιν",
    "ABESIJKMHOPCTYXaesijopcyxdhlqw" + "ABEZHIKMNOPTYXoaiv",
)
_MIXED = re.compile(r"[A-Za-z\u0370-\u03ff\u0400-\u052f]{2,}")


def unmasked(text: str) -> str:
    """Returns `text` with ordinary letters: NFKC, without terminal escapes and invisible
    characters, Latin for look-alike letters within a word."""
    if text.isascii() and "\x1b" not in text:
        return text
    normalized = unicodedata.normalize("NFKC", _ESCAPE.sub("", text))
    normalized = "".join(
        c for c in normalized if c in "\n\t\r" or unicodedata.category(c) not in ("Cf", "Cc")
    )
    return _MIXED.sub(lambda word: _latin(word.group()), normalized)


def disguised(text: str) -> Iterator[str]:
    """Yields Latin words that contain look-alike letters of a different script."""
    if not text.isascii():
        for word in _MIXED.findall(unicodedata.normalize("NFC", text)):
            if len(word) > 3 and _latin(word) != word:
                yield word


def hidden(text: str) -> Iterator[tuple[str, str]]:
    """Yields kind and content of hidden text: comments, invisible elements and characters, base64,
    wrappers, chat turns.

    Code samples are skipped.
    """
    outside = _CODE.sub(" ", text)
    for match in _ASIDE.finditer(outside):
        if outside[max(match.start() - 1, 0) : match.start()] not in ("'", '"'):
            yield from ((part, match[part]) for part in _PARTS if match[part])
    for tags in _TAGS.findall(text):
        yield "tags", "".join(chr(ord(tag) - 0xE0000) for tag in tags)
    for decoded in filter(None, map(_decode, _BASE64.findall(outside))):
        yield "base64", decoded


def _latin(word: str) -> str:
    """Returns `word` with Latin letters if the word mixes look-alikes with Latin."""
    folded = word.translate(_ALIKE)
    mixed = not word.isascii() and any(c.isascii() for c in word)
    return folded if mixed and folded.isascii() else word


def _decode(word: str) -> str:
    """Returns the text of a base64 word, `""` for any other word."""
    body = word.rstrip("=").translate(str.maketrans("-_", "+/"))
    if len(body) % 4 == 1:
        return ""
    read = base64.b64decode(body + "=" * (-len(body) % 4))
    try:
        text = read.decode()
    except UnicodeDecodeError:
        return ""
    return text if text.isprintable() and text.count(" ") > 2 else ""
