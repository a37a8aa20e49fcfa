"""Values that JSON and YAML have in common: type names for messages, and usable numbers."""

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
    """Type of a value with article, such as `a mapping`."""
    return KINDS[type(value)]


def parse_float(text: str) -> float | None:
    """The float, or None if the number is not finite, which JSON cannot represent (RFC 8259 §6)."""
    value = float(text)
    return value if math.isfinite(value) else None


def parse_integer(text: str, convert: Callable[[str], int] = int) -> int | None:
    """The integer, or None beyond Python's limit of digits (`sys.set_int_max_str_digits`)."""
    try:
        return convert(text)
    except ValueError:
        return None
