"""Numbers as both syntaxes read them: finite, and of a length that can be computed with."""

from __future__ import annotations

import math
from collections.abc import Callable


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
