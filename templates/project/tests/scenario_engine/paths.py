"""Paths into a JSON value: `content[0].text`, `rows[*].id`, `**.retry_with`, `_meta["odd name"]`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

EACH = object()
"""The segment `[*]`: every element of an array, or every value of an object."""

ANYWHERE = object()
"""The segment `**`: the value itself and every nested value, at any depth."""

_SEGMENT = re.compile(
    r'\.?(?:(?P<anywhere>\*\*)|(?P<name>[^.\[\]"*]+))'
    r'|\[(?:(?P<each>\*)|(?P<index>\d{1,9})|"(?P<quoted>(?:[^"\\]|\\["\\])*)")\]'
)


@dataclass(frozen=True)
class PathValues:
    """The values at a path, in document order. `is_list`: the path has `[*]` or `**` and can lead
    to any number of values."""

    values: list[Any]
    is_list: bool

    @property
    def value_or_list(self) -> Any:
        """The single value, or the list of values if `is_list` or if there is no value."""
        return self.values[0] if self.values and not self.is_list else self.values


def find_values(path: str, value: Any) -> PathValues:
    """Returns the values at a path into `value`. Raises ValueError for an invalid path."""
    segments = parse_path(path)
    values = [value]
    for segment in segments:
        values = [nested for parent in values for nested in _segment_values(parent, segment)]
    return PathValues(values, EACH in segments or ANYWHERE in segments)


def parse_path(path: str) -> list[Any]:
    """Returns the segments of a path: names, indexes, `EACH`, `ANYWHERE`. Raises ValueError."""
    segments: list[Any] = []
    position = 0
    while position < len(path):
        match = _SEGMENT.match(path, position)
        has_dot, has_bracket = path[position] == ".", path[position] == "["
        # A dot stands between two segments, but neither at the beginning nor before a bracket.
        is_misplaced = has_dot if position == 0 else not (has_dot or has_bracket)
        if not match or is_misplaced:
            raise ValueError(f"{path!r} is no path at {path[position:]!r}")
        segments.append(_parse_segment(match))
        position = match.end()
    return segments


def _parse_segment(match: re.Match[str]) -> Any:
    if match["each"]:
        return EACH
    if match["anywhere"]:
        return ANYWHERE
    if match["index"]:
        return int(match["index"])
    return match["name"] or re.sub(r"\\(.)", r"\1", match["quoted"])


def _segment_values(value: Any, segment: Any) -> Iterator[Any]:
    """Yields the values that a segment selects in `value`."""
    if segment is ANYWHERE:
        yield from _nested_values(value)
    elif segment is EACH:
        yield from _member_values(value)
    elif isinstance(segment, int):
        if isinstance(value, list) and segment < len(value):
            yield value[segment]
    elif isinstance(value, dict) and segment in value:
        yield value[segment]


def _member_values(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []


def _nested_values(value: Any) -> Iterator[Any]:
    """Yields the value and all nested values, with a stack, because Python limits the depth of
    recursion."""
    stack = [value]
    while stack:
        nested = stack.pop()
        yield nested
        stack += reversed(_member_values(nested))
