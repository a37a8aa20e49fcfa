"""Escapes text character by character, so that no output file has an invisible character.

The printable characters follow the Unicode 3.2 tables that every Python carries, so the bytes of
the output are the same under every Python version.
"""

from __future__ import annotations

import re
from functools import lru_cache
from unicodedata import ucd_3_2_0

from mcpgen.ir.source import INVISIBLE_CHARACTERS

_EMOJI = range(0x1F300, 0x1FB00)
_SPACES = re.compile(r"\s+")


def is_printable(codepoint: int) -> bool:
    """True if the character may stand in an output file unescaped."""
    if codepoint < 0x7F:
        return codepoint >= 0x20
    if codepoint in _EMOJI:
        return True
    if codepoint in INVISIBLE_CHARACTERS:
        return False
    return ucd_3_2_0.category(chr(codepoint))[0] not in "CZ"


class _Escapes(dict[int, str]):
    """A table for `str.translate`, filled as characters turn up."""

    def __init__(self, escapes: dict[int, str], short: str) -> None:
        super().__init__(escapes)
        self.short = short

    def __missing__(self, codepoint: int) -> str:
        if is_printable(codepoint):
            escape = chr(codepoint)
        elif codepoint < 0x100 and self.short:
            escape = f"\\{self.short}{codepoint:02x}"
        elif codepoint < 0x10000:
            escape = f"\\u{codepoint:04x}"
        else:
            escape = f"\\U{codepoint:08x}"
        self[codepoint] = escape
        return escape


_COMMON = {ord("\\"): "\\\\", ord("\n"): "\\n", ord("\r"): "\\r", ord("\t"): "\\t"}
_DOUBLE = _Escapes({**_COMMON, ord('"'): '\\"'}, "x")
_SINGLE = _Escapes({**_COMMON, ord("'"): "\\'"}, "x")
_BASIC = _Escapes({**_COMMON, ord('"'): '\\"'}, "")


class _Blanks(dict[int, str]):
    """A table for `str.translate` that turns invisible characters into spaces."""

    def __missing__(self, codepoint: int) -> str:
        self[codepoint] = blank = chr(codepoint) if is_printable(codepoint) else " "
        return blank


_BLANKS = _Blanks()


def escape_literal(text: str) -> str:
    """The characters between the double quotes of a Python literal of `text`."""
    if text.isascii() and text.isprintable() and '"' not in text and "\\" not in text:
        return text
    return text.translate(_DOUBLE)


@lru_cache(maxsize=8_192)
def python_literal(text: str) -> str:
    """The Python literal of `text`, in the quotes black prefers."""
    if text.count("'") < text.count('"'):
        return f"'{text.translate(_SINGLE)}'"
    return f'"{escape_literal(text)}"'


def double_quote(text: str) -> str:
    """`text` as a string that TOML (basic) and YAML (double-quoted) read alike.

    A lone surrogate becomes U+FFFD, since neither format can express surrogates.
    """
    whole = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return f'"{whole.translate(_BASIC)}"'


def replace_invisible(text: str) -> str:
    """`text` with a space for each invisible character."""
    return text.translate(_BLANKS)


def collapse_to_line(text: str) -> str:
    """`text` as a single line of visible characters; runs of white space become a space."""
    return _SPACES.sub(" ", replace_invisible(text)).strip()


def truncate_words(text: str, limit: int) -> str:
    """`text` if it has at most `limit` characters, else its first words and an ellipsis.

    Example: `truncate_words("Lists all boats", 12)` gives `'Lists all…'`.
    """
    if len(text) <= limit:
        return text
    head = text[: limit - 1]
    words = head.rpartition(" ")[0] or head
    return words.rstrip(" ,;:.") + "…"
