"""JSON as people compare it: what fits on a line stands on one, what does not is opened."""

from __future__ import annotations

from collections.abc import Iterable
from json import JSONEncoder

from mcpgen.ir.source import Json

_WIDTH = 100

_DEEPEST = 5
"""How many levels are opened; what lies deeper stays on one line. Opening costs more than writing,
and a card has the schemas of a thousand tools."""

_encoded = JSONEncoder().encode


class LaidOut(str):
    """The text of an entry, which need not be laid out again."""

    __slots__ = ()


def laid_out(document: dict[str, Json]) -> str:
    """A JSON document in ASCII, each member on lines of its own, with a line break at its end."""
    parts: list[str] = []
    _open(document, 0, parts)
    return "".join(parts) + "\n"


def entry_laid_out(entry: dict[str, Json]) -> LaidOut:
    """An entry of a list that is a member of a document, as it stands there. It must be wider than a
    line, so that the list is opened."""
    parts: list[str] = []
    _add(entry, 2, 4, parts)
    return LaidOut("".join(parts))


def _add(value: Json, depth: int, before: int, parts: list[str]) -> None:
    """Adds the text of a value that has `before` columns in front of it."""
    if type(value) is LaidOut:
        parts.append(value)
        return
    opens = isinstance(value, dict | list) and bool(value) and depth < _DEEPEST
    if opens and before + _least(value) >= _WIDTH:
        _open(value, depth, parts)
        return
    line = _encoded(value)
    if opens and before + len(line) >= _WIDTH:
        _open(value, depth, parts)
    else:
        parts.append(line)


def _least(value: dict[str, Json] | list[Json]) -> int:
    """Columns that a value with members takes at the very least: what is surely too wide for a line
    need not be written on one first."""
    members: Iterable[Json] = value
    least = 3 * len(value)
    if isinstance(value, dict):
        members = value.values()
        least += sum(map(len, value)) + 4 * len(value)
    return least + sum([len(each) + 1 for each in members if isinstance(each, str)])


def _open(value: dict[str, Json] | list[Json], depth: int, parts: list[str]) -> None:
    """Adds the members of a value, each on lines of its own."""
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
