"""Finds where a JSON text has the faults that its parser does not place."""

from __future__ import annotations

import re

from mcpgen.diagnostics import Code, Location
from mcpgen.diagnostics.codes import read as codes
from mcpgen.read.findings import Findings
from mcpgen.read.json_tokens import Token, scan_tokens, unquote
from mcpgen.read.lines import LineStarts
from mcpgen.read.numbers import finite, parse_integer

WORDS = frozenset({"true", "false", "null"})
INTEGER = re.compile(r"-?[0-9]+")
LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def report_faults(text: str, file: str, findings: Findings) -> frozenset[Code]:
    """Reports duplicate keys, numbers out of range and halves of characters, each with its place, and
    returns which of these there are.

    Adds MG110, MG111 and MG117.
    """
    starts = LineStarts(text)
    seen: set[tuple[int, str]] = set()
    found: set[Code] = set()
    for token in scan_tokens(text):
        code = _fault(token, seen)
        if code is None:
            continue
        found.add(code)
        if not findings.skips(code, file):
            fact = token.path[-1] if token.is_key else token.text
            findings.add(code, _place(token, starts, file), key=fact, text=fact)
    return frozenset(found)


def _fault(token: Token, seen: set[tuple[int, str]]) -> Code | None:
    """What is wrong with a token, if anything; `seen` are the keys of every mapping so far."""
    if token.text[0] != '"':
        return None if _is_usable(token) else codes.UNUSABLE_NUMBER
    if "\\u" in token.text and LONE_SURROGATE.search(unquote(token.text)):
        return codes.HALF_CHARACTER
    if not token.is_key:
        return None
    entry = (token.mapping, token.path[-1])
    if entry in seen:
        return codes.DUPLICATE_KEY
    seen.add(entry)
    return None


def _place(token: Token, starts: LineStarts, file: str) -> Location:
    position = starts(token.offset)
    return Location(file, tuple(token.path), position.line, position.column)


def report_long_integer(text: str, file: str, findings: Findings) -> None:
    """Reports the first integer that has too many digits; the text need be well formed only so far.

    Adds MG111.
    """
    for token in scan_tokens(text):
        if INTEGER.fullmatch(token.text) and parse_integer(token.text) is None:
            at = _place(token, LineStarts(text), file)
            findings.add(codes.UNUSABLE_NUMBER, at, text=token.text)
            return


def _is_usable(token: Token) -> bool:
    """Whether a token without quotes is a word of JSON or a number that it can carry."""
    if token.text in WORDS:
        return True
    if INTEGER.fullmatch(token.text):
        return parse_integer(token.text) is not None
    return finite(token.text) is not None
