"""How deep values are nested, and texts that hold none too deep."""

from __future__ import annotations

import json
from collections.abc import Callable

from ..tool import Json

DEEPEST = 200
"""How deep the JSON in a text may be nested: as deep as the message may be that holds it. Much deeper
values would overflow the stack of a validator, which ends the process."""


def loads(text: str, **readers: Callable[[str], Json]) -> Json:
    """The value of a JSON text, with readers as `json.loads` takes them. Raises `ValueError` if it is
    none, and `RecursionError` if it is nested too deeply."""
    value = json.loads(text, **readers)  # type: ignore[arg-type]
    # What is nested opens as many brackets, and to count those takes next to nothing.
    if text.count("[") + text.count("{") > DEEPEST and is_deeper(value, DEEPEST):
        raise RecursionError
    return value


def is_deeper(value: Json, most: int) -> bool:
    """Whether lists and objects stand inside one another more than so many times."""
    level = [value] if isinstance(value, dict | list) else []
    for _ in range(most):
        level = [
            inner
            for one in level
            for inner in (one.values() if isinstance(one, dict) else one)
            if isinstance(inner, dict | list)
        ]
        if not level:
            return False
    return True
