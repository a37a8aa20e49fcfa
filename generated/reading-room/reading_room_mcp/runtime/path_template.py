"""The path of an endpoint with parameters: `/api/v1/workspaces/{workspaceId}/mcp`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import quote, unquote

from .request import InvalidArguments
from .value_text import for_path

LONGEST = 256
"""Characters of one value."""


@dataclass(frozen=True)
class PathTemplate:
    """A path whose segments are texts, or parameters in braces."""

    text: str

    @cached_property
    def _segments(self) -> list[str]:
        return _segments(self.text)

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        """The names of its parameters, in order."""
        return tuple(each[1:-1] for each in self._segments if each.startswith("{"))

    def values(self, path: str) -> Mapping[str, str] | None:
        """The values in a percent-encoded path at or below this one; None if it is another.

        A value that could be read as another path is none.
        """
        given = _segments(path)[: len(self._segments)]
        if len(given) < len(self._segments):
            return None
        found: dict[str, str] = {}
        for segment, text in zip(self._segments, given, strict=True):
            if not segment.startswith("{"):
                if segment != text:
                    return None
            elif (value := _value(text)) is None:
                return None
            else:
                found[segment[1:-1]] = value
        return found

    def rest(self, path: str) -> str:
        """What a path that lies below this one has behind it: `""`, or a path."""
        pieces = _segments(path)[len(self._segments) :]
        return "".join(f"/{piece}" for piece in pieces)

    def filled(self, values: Mapping[str, str]) -> str:
        """The path with its values, percent-encoded; `""` for the root."""
        return "".join(
            f"/{quote(values.get(each[1:-1], ''), safe='')}" if each.startswith("{") else f"/{each}"
            for each in self._segments
        )


def _segments(path: str) -> list[str]:
    """The segments of a path, of which the root has none."""
    bare = path.strip("/")
    return bare.split("/") if bare else []


def _value(text: str) -> str | None:
    """The value that a segment stands for."""
    try:
        value = unquote(text, errors="strict")
        for_path(value)
    except (UnicodeDecodeError, InvalidArguments):
        return None
    return value if 0 < len(value) <= LONGEST and "/" not in value else None
