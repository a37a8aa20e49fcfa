"""Finds where a JSON text has the faults that its parser does not place."""

from __future__ import annotations

import re

from mcpgen.diagnostics import Location
from mcpgen.diagnostics.codes import read as codes
from mcpgen.read.findings import Findings
from mcpgen.read.json_tokens import Token, tokens, unquoted
from mcpgen.read.lines import LineStarts
from mcpgen.read.numbers import finite, whole

WORDS = frozenset({"true", "false", "null"})
INTEGER = re.compile(r"-?[0-9]+")
LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def report_faults(text: str, file: str, findings: Findings) -> None:
    """Reports duplicate keys, numbers out of range and halves of characters, each with its place.

    Adds MG110, MG111 and MG117.
    """
    starts = LineStarts(text)
    seen: set[tuple[int, str]] = set()
    for token in tokens(text):
        position = starts(token.offset)
        at = Location(file, token.path, position.line, position.column)
        if token.text[0] != '"':
            if not _is_usable(token):
                findings.add(codes.UNUSABLE_NUMBER, at, text=token.text)
            continue
        if "\\u" in token.text and LONE_SURROGATE.search(unquoted(token.text)):
            findings.add(codes.HALF_CHARACTER, at)
        elif token.is_key:
            entry = (token.mapping, token.path[-1])
            if entry in seen:
                findings.add(codes.DUPLICATE_KEY, at, key=token.path[-1])
            seen.add(entry)


def report_long_integer(text: str, file: str, findings: Findings) -> None:
    """Reports the first integer that has too many digits; the text need be well formed only so far.

    Adds MG111.
    """
    for token in tokens(text):
        if INTEGER.fullmatch(token.text) and whole(token.text) is None:
            position = LineStarts(text)(token.offset)
            at = Location(file, token.path, position.line, position.column)
            findings.add(codes.UNUSABLE_NUMBER, at, text=token.text)
            return


def _is_usable(token: Token) -> bool:
    """Whether a token without quotes is a word of JSON or a number that it can carry."""
    if token.text in WORDS:
        return True
    if INTEGER.fullmatch(token.text):
        return whole(token.text) is not None
    return finite(token.text) is not None
