"""Text that shows what it is: nothing in it is obeyed by a terminal or turns a line around."""

from __future__ import annotations

import re

UNSEEN = re.compile(
    "[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f\\ud800-\\udfff"
    "\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]"
)
"""Control characters but for tabs and line ends, halves of surrogate pairs, and the characters that
turn the direction of reading."""


def mark_invisible(text: str) -> str:
    """The text with a sign in place of each character that cannot be seen or turns the line."""
    return UNSEEN.sub("\N{REPLACEMENT CHARACTER}", text)
