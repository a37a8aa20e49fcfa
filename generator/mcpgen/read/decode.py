"""Decodes bytes to text: UTF-8, or the encoding shown by a byte order mark or the first character."""

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
"""Byte order marks with codec and label. UTF-32-LE precedes UTF-16-LE, whose mark is its prefix."""

UNMARKED = (
    (re.compile(rb"\0\0\0[^\0]"), "utf-32-be", "UTF-32"),
    (re.compile(rb"[^\0]\0\0\0"), "utf-32-le", "UTF-32"),
    (re.compile(rb"\0[^\0]"), "utf-16-be", "UTF-16"),
    (re.compile(rb"[^\0]\0"), "utf-16-le", "UTF-16"),
    (re.compile(b""), "utf-8", "UTF-8"),
)
"""First bytes of a text without byte order mark, with codec and label (YAML 1.2.2 §5.2)."""


def decode_text(content: bytes, file: str, findings: Findings) -> str | None:
    """Decodes a file; the text has no byte order mark, and a line feed as its only line break.

    None if a byte sequence is invalid. Adds MG105.
    """
    mark, codec, label = next(
        (row for row in MARKS if content.startswith(row[0])), (b"", *_detect_codec(content))
    )
    content = content[len(mark) :]
    try:
        text = content.decode(codec)
    except UnicodeDecodeError as error:
        preceding_lines = _normalize_line_breaks(
            content[: error.start].decode(codec, errors="replace")
        ).split("\n")
        at = Location(file, line=len(preceding_lines), column=len(preceding_lines[-1]) + 1)
        findings.add(codes.UNDECODABLE_TEXT, at, encoding=label)
        return None
    return _normalize_line_breaks(text)


def _detect_codec(content: bytes) -> tuple[str, str]:
    """Codec and label for a text without byte order mark."""
    return next((codec, label) for start, codec, label in UNMARKED if start.match(content))


def _normalize_line_breaks(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text
