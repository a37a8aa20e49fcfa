"""Numbers as both syntaxes read them: finite, and of a length that can be computed with."""

from __future__ import annotations

import math
from collections.abc import Callable

from mcpgen.ir.source import Json

KINDS: dict[type, str] = {
    dict: "a mapping",
    list: "a list",
    str: "a text",
    bool: "a boolean",
    int: "a number",
    float: "a number",
    type(None): "null",
}


def kind_name(value: Json) -> str:
    """The kind of a value, as a sentence names it."""
    return KINDS[type(value)]


def finite(text: str) -> float | None:
    """The float that the text writes, or None when it is beyond what JSON can carry."""
    value = float(text)
    return value if math.isfinite(value) else None


def parse_integer(text: str, read: Callable[[str], int] = int) -> int | None:
    """The integer that the text writes, or None when it has too many digits for Python."""
    try:
        return read(text)
    except ValueError:
        return None
