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
    r'|\[(?:(?P<each>\*)|(?P<index>\d{1,9})|"(?P<odd>(?:[^"\\]|\\["\\])*)")\]'
)


@dataclass(frozen=True)
class PathValues:
    """The values at a path, in order. `several`: the path may lead to more than a single value."""

    values: list[Any]
    several: bool

    @property
    def whole(self) -> Any:
        """The value of a path to a single value, else the list of all values."""
        return self.values[0] if self.values and not self.several else self.values


def find_values(path: str, value: Any) -> PathValues:
    """The values at a path below `value`. Raises ValueError for an invalid path."""
    segments = parse_path(path)
    values = [value]
    for segment in segments:
        values = [below for one in values for below in _segment_values(one, segment)]
    return PathValues(values, EACH in segments or ANYWHERE in segments)


def parse_path(path: str) -> list[Any]:
    """The segments of a path: names, indexes, `EACH`, `ANYWHERE`. Raises ValueError."""
    segments: list[Any] = []
    at = 0
    while at < len(path):
        match = _SEGMENT.match(path, at)
        begins_with_dot = path[at] == "."
        if not match or (begins_with_dot if at == 0 else not begins_with_dot and path[at] != "["):
            raise ValueError(f"{path!r} is no path at {path[at:]!r}")
        segments.append(_segment(match))
        at = match.end()
    return segments


def _segment(match: re.Match[str]) -> Any:
    if match["each"]:
        return EACH
    if match["anywhere"]:
        return ANYWHERE
    if match["index"]:
        return int(match["index"])
    return match["name"] or re.sub(r"\\(.)", r"\1", match["odd"])


def _segment_values(value: Any, segment: Any) -> Iterator[Any]:
    """The values that a segment leads to."""
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
    """The value and all nested values, without recursion."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        yield one
        waiting += reversed(_member_values(one))
