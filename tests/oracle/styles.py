"""Keys and texts of OpenAPI styles before percent-encoding: the table "Style Values".

Where the specification defines nothing, Rails, PHP and qs are the model (`deepObject` below the first
level), and JSON is the text of values without one.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

DELIMITERS = {"spaceDelimited": " ", "pipeDelimited": "|", "tabDelimited": "\t"}


@dataclass(frozen=True)
class Text:
    """A key with its values; several values share a text with a delimiter."""

    key: str
    values: tuple[Any, ...]
    delimiter: str = ""


def is_hollow(value: Any) -> bool:
    """True for a value without text in any style: null, or an array or object of nulls."""
    if isinstance(value, list):
        return all(item is None for item in value)
    return value is None or (
        isinstance(value, dict) and all(item is None for item in value.values())
    )


def texts_of(name: str, value: Any, style: str, explode: bool) -> Iterator[Text]:
    """The keys and texts of a value in a style; "undefined" values are ignored (RFC 6570, 3.2.1)."""
    if style == "deepObject" and isinstance(value, list | dict):
        yield from _deep(name, value)
    elif is_hollow(value):
        return
    elif isinstance(value, list):
        items = tuple(item for item in value if item is not None)
        if explode:
            yield from (Text(name, (item,)) for item in items)
        else:
            yield Text(name, items, DELIMITERS.get(style, ","))
    elif isinstance(value, dict):
        present = {key: item for key, item in value.items() if item is not None}
        if not explode:
            members = tuple(part for pair in present.items() for part in pair)
            yield Text(name, members, DELIMITERS.get(style, ","))
            return
        for key, item in present.items():
            values = item if isinstance(item, list) else [item]
            yield from (Text(key, (item_text,)) for item_text in values if item_text is not None)
    else:
        yield Text(name, (value,))


def _deep(name: str, value: Any) -> Iterator[Text]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _deep(f"{name}[{key}]", item)
    elif isinstance(value, list):
        is_nested = any(isinstance(item, list | dict) for item in value)
        for index, item in enumerate(value):
            yield from _deep(f"{name}[{index if is_nested else ''}]", item)
    elif value is not None:
        yield Text(name, (value,))


def text_of(value: Any) -> str:
    """The text of a scalar; JSON for other values."""
    if isinstance(value, str):
        return value
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def is_same(value: Any, text: str) -> bool:
    """True if a text represents a value."""
    if isinstance(value, str):
        return text == value
    try:
        read = json.loads(text)
    except ValueError:
        return False
    return is_equal(value, read)


def is_equal(first: Any, second: Any) -> bool:
    """True for equal JSON values: numbers by value, and no boolean equals a number."""
    if isinstance(first, bool) or isinstance(second, bool):
        return first is second
    if isinstance(first, dict) and isinstance(second, dict):
        return first.keys() == second.keys() and all(
            is_equal(first[key], second[key]) for key in first
        )
    if isinstance(first, list) and isinstance(second, list):
        return len(first) == len(second) and all(map(is_equal, first, second))
    return (type(first) is type(second) and first == second) or (
        _are_numbers(first, second) and first == second
    )


def _are_numbers(*values: Any) -> bool:
    return all(isinstance(value, int | float) for value in values)
