"""JSON for diffs: a value that fits on a line stays on one line, a larger container has one line for
each member."""

from __future__ import annotations

from collections.abc import Iterable
from json import JSONEncoder

from mcpgen.ir.source import Json

_WIDTH = 120
"""Columns of a line: wider than the Python files, since reviews skim JSON."""

_MAX_DEPTH = 5
"""Levels of containers with a line for each member; deeper values stay on one line. Each further
level computes the widths of its values again, which takes time for a server card with a thousand
tools."""

_encode = JSONEncoder().encode


class FormattedEntry(str):
    """A text that `format_json` inserts unchanged in place of a value; made by `format_entry`."""

    __slots__ = ()


def format_json(document: dict[str, Json]) -> str:
    """Returns a JSON document in ASCII, with the members of the root on lines of their own and a
    final line break."""
    parts: list[str] = []
    _append_members(document, 0, parts)
    return "".join(parts) + "\n"


def format_entry(entry: dict[str, Json]) -> FormattedEntry:
    """Formats an entry of a list that is a direct member of the document, for insertion with
    `FormattedEntry`. The entry must exceed one line: a list that fits on a line is encoded as a
    whole, with the text of the entry as a JSON string."""
    parts: list[str] = []
    # The entry is at depth 2, so it starts at column 4.
    _append_value(entry, 2, 4, parts)
    return FormattedEntry("".join(parts))


def _append_value(value: Json, depth: int, column: int, parts: list[str]) -> None:
    """Appends the text of a value that starts at `column`."""
    if type(value) is FormattedEntry:
        parts.append(value)
        return
    may_split = isinstance(value, dict | list) and bool(value) and depth < _MAX_DEPTH
    # `>=` leaves one column for the comma.
    if may_split and column + _minimum_width(value) >= _WIDTH:
        _append_members(value, depth, parts)
        return
    line = _encode(value)
    if may_split and column + len(line) >= _WIDTH:
        _append_members(value, depth, parts)
    else:
        parts.append(line)


def _minimum_width(value: dict[str, Json] | list[Json]) -> int:
    """Returns a lower bound of a container's width, cheaper than writing the value."""
    members: Iterable[Json] = value
    # Each member: one character and `, `. The last needs no `, `, but the container two brackets.
    width = 3 * len(value)
    if isinstance(value, dict):
        members = value.values()
        # Each key: two quotes and `: `.
        width += sum(map(len, value)) + 4 * len(value)
    # A string: two quotes instead of the one character counted above.
    return width + sum([len(member) + 1 for member in members if isinstance(member, str)])


def _append_members(value: dict[str, Json] | list[Json], depth: int, parts: list[str]) -> None:
    """Appends the members of a value on lines of their own."""
    margin = "\n" + "  " * depth
    if isinstance(value, dict):
        for number, (key, member) in enumerate(value.items()):
            name = f"{_encode(key)}: "
            parts += ("," if number else "{", margin, "  ", name)
            _append_value(member, depth + 1, 2 * depth + 2 + len(name), parts)
        parts += (margin, "}")
    else:
        for number, member in enumerate(value):
            parts += ("," if number else "[", margin, "  ")
            _append_value(member, depth + 1, 2 * depth + 2, parts)
        parts += (margin, "]")
