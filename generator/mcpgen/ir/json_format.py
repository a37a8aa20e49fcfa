"""JSON for diffs: a value that fits on a line stays on one line, larger values are opened."""

from __future__ import annotations

from collections.abc import Iterable
from json import JSONEncoder

from mcpgen.ir.source import Json

_WIDTH = 120

_DEEPEST = 5
"""Opened levels; deeper values stay on one line. Opening costs more than writing, and a
server card holds the schemas of a thousand tools."""

_encoded = JSONEncoder().encode


class FormattedEntry(str):
    """Formatted text of an entry."""

    __slots__ = ()


def format_json(document: dict[str, Json]) -> str:
    """Returns a JSON document in ASCII with one member per line and a final line break."""
    parts: list[str] = []
    _append_members(document, 0, parts)
    return "".join(parts) + "\n"


def format_entry(entry: dict[str, Json]) -> FormattedEntry:
    """Returns an entry of a list member formatted for its document. The entry must exceed one
    line, so that the list is opened."""
    parts: list[str] = []
    _add(entry, 2, 4, parts)
    return FormattedEntry("".join(parts))


def _add(value: Json, depth: int, before: int, parts: list[str]) -> None:
    """Appends the text of a value that starts at column `before`."""
    if type(value) is FormattedEntry:
        parts.append(value)
        return
    opens = isinstance(value, dict | list) and bool(value) and depth < _DEEPEST
    if opens and before + _least(value) >= _WIDTH:
        _append_members(value, depth, parts)
        return
    line = _encoded(value)
    if opens and before + len(line) >= _WIDTH:
        _append_members(value, depth, parts)
    else:
        parts.append(line)


def _least(value: dict[str, Json] | list[Json]) -> int:
    """Returns a lower bound of a container's width, cheaper than writing the value."""
    members: Iterable[Json] = value
    least = 3 * len(value)
    if isinstance(value, dict):
        members = value.values()
        least += sum(map(len, value)) + 4 * len(value)
    return least + sum([len(member) + 1 for member in members if isinstance(member, str)])


def _append_members(value: dict[str, Json] | list[Json], depth: int, parts: list[str]) -> None:
    """Appends the members of a value on lines of their own."""
    margin = "\n" + "  " * depth
    if isinstance(value, dict):
        for number, (key, member) in enumerate(value.items()):
            name = f"{_encoded(key)}: "
            parts += ("," if number else "{", margin, "  ", name)
            _add(member, depth + 1, 2 * depth + 2 + len(name), parts)
        parts += (margin, "}")
    else:
        for number, member in enumerate(value):
            parts += ("," if number else "[", margin, "  ")
            _add(member, depth + 1, 2 * depth + 2, parts)
        parts += (margin, "]")
