"""Bytes to text: UTF-8, or the encoding that a byte order mark or the first character tells."""

from __future__ import annotations

import codecs
import re

from mcpgen.diagnostics import Location
from mcpgen.diagnostics.codes import read as codes
from mcpgen.read.findings import Findings

MARKS = (
    (codecs.BOM_UTF8, "utf-8", "UTF-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le", "UTF-32"),
    (codecs.BOM_UTF32_BE, "utf-32-be", "UTF-32"),
    (codecs.BOM_UTF16_LE, "utf-16-le", "UTF-16"),
    (codecs.BOM_UTF16_BE, "utf-16-be", "UTF-16"),
)
"""Byte order marks; the longer ones stand before those they start with."""

UNMARKED = (
    (re.compile(rb"\0\0\0[^\0]"), "utf-32-be", "UTF-32"),
    (re.compile(rb"[^\0]\0\0\0"), "utf-32-le", "UTF-32"),
    (re.compile(rb"\0[^\0]"), "utf-16-be", "UTF-16"),
    (re.compile(rb"[^\0]\0"), "utf-16-le", "UTF-16"),
    (re.compile(b""), "utf-8", "UTF-8"),
)
"""How text without a mark begins: the zeros of its first character tell (YAML 1.2.2, §5.2)."""


def decode_text(content: bytes, file: str, findings: Findings) -> str | None:
    """The text without its byte order mark and with `\\n` as its only line break, or None.

    Adds MG105.
    """
    mark, codec, spoken = next(
        (row for row in MARKS if content.startswith(row[0])), (b"", *_unmarked(content))
    )
    content = content[len(mark) :]
    try:
        text = content.decode(codec)
    except UnicodeDecodeError as error:
        before = _lines(content[: error.start].decode(codec, errors="replace")).split("\n")
        at = Location(file, line=len(before), column=len(before[-1]) + 1)
        findings.add(codes.UNDECODABLE_TEXT, at, encoding=spoken)
        return None
    return _lines(text)


def _unmarked(content: bytes) -> tuple[str, str]:
    """The codec of text without a mark, and how it is called."""
    return next((codec, spoken) for start, codec, spoken in UNMARKED if start.match(content))


def _lines(text: str) -> str:
    """The text with every line break written as `\\n`."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text
