"""Python values as source text, in exactly the layout that black leaves unchanged.

One line if it fits; else the brackets are opened and every element stands on its own line behind
a trailing comma. A string that does not fit is split between words, in parentheses.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import isnan
from typing import TypeAlias

from mcpgen.emit.escape import escape_literal, python_literal
from mcpgen.emit.format import LINE_LENGTH, width
from mcpgen.ir.source import Json


@dataclass(frozen=True, slots=True)
class NameExpr:
    """A name to print as it stands; `emit` chose it, no document did."""

    text: str


@dataclass(frozen=True, slots=True)
class CallExpr:
    """A call to print: `callee(*positional, **keywords)`."""

    callee: str
    positional: tuple[Value, ...] = ()
    keywords: tuple[tuple[str, Value], ...] = ()


@dataclass(frozen=True, slots=True)
class SubscriptExpr:
    """A type with arguments: `name[elements]`."""

    name: str
    elements: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class UnionExpr:
    """A union of two types, of which the first may be a union: `value | other`."""

    value: Value
    other: Value = None


Value: TypeAlias = Json | NameExpr | CallExpr | SubscriptExpr | UnionExpr | tuple["Value", ...]
"""What can be printed: JSON, tuples, names, calls and types, in any mixture."""

Element: TypeAlias = tuple[str, Value]
"""What stands before an element of a bracket (`key=`, `"key": ` or nothing), and its value."""

_WORD = re.compile(r"[^\n ]+ *\n?| +\n?|\n")
_PIECE = re.compile(r"[^&,/]+[&,/]*|[&,/]+")
_ATOMS = (NameExpr, int, float, type(None))
"""Values without elements, strings aside."""

_MAPPINGS = (dict, Mapping)
"""What is nearly always a dict, which is told much sooner than another mapping."""

_NARROWEST = 20
"""The columns a string gets however deep it stands."""


def printed(value: Value, *, indent: int = 0, before: int = 0, after: int = 0) -> str:
    """The source text of `value`, for a line indented by `indent`.

    `before` and `after` are the columns that the same line holds around it. Raises TypeError for
    what has no literal.
    """
    line = _flat(value, LINE_LENGTH - indent - before - after)
    if line is not None:
        return line
    if isinstance(value, str):
        return _string(value, indent, before)
    if isinstance(value, UnionExpr):
        return f"{printed(value.value, indent=indent)}\n{' ' * indent}| {one_line_literal(value.other)}"
    opening, elements, closing = _parts(value)
    if not elements:
        return opening + closing
    pad = " " * (indent + 4)
    comma = "" if isinstance(value, SubscriptExpr) and len(elements) == 1 else ","
    lines = [
        f"{pad}{label}{printed(child, indent=indent + 4, before=width(label), after=len(comma))}{comma}\n"
        for label, child in elements
    ]
    return f"{opening}\n{''.join(lines)}{' ' * indent}{closing}"


def one_line_literal(value: Value) -> str:
    """The source text of `value` in one line, however wide."""
    return printed(value, before=-sys.maxsize)


def _flat(value: Value, room: int) -> str | None:
    """The one-line text of `value`, or None if it is wider than `room`."""
    line: str | None
    if isinstance(value, str):
        # Quotes and escapes only add to a text of which every character takes a column.
        if len(value) + 2 > room and value.isascii():
            return None
        line = python_literal(value)
        return line if width(line) <= room else None
    if isinstance(value, UnionExpr):
        tail = f" | {one_line_literal(value.other)}"
        line = _flat(value.value, room - width(tail))
        return None if line is None else line + tail
    opening, elements, closing = _parts(value)
    room -= len(opening) + len(closing)
    texts = []
    for label, child in elements:
        room -= width(label)
        line = _flat(child, room) if room >= 0 else None
        if line is None:
            return None
        texts.append(label + line)
        room -= width(line) + 2
    comma = "," if len(texts) == 1 and opening == "(" else ""
    if room + 2 * bool(texts) < len(comma):
        return None
    return f"{opening}{', '.join(texts)}{comma}{closing}"


def _parts(value: Value) -> tuple[str, list[Element], str]:
    """What opens the value, its elements, and what closes it; an atom is all opening."""
    if isinstance(value, _ATOMS):
        return _atom(value), [], ""
    if isinstance(value, _MAPPINGS):
        return "{", [(f"{python_literal(key)}: ", child) for key, child in value.items()], "}"
    if isinstance(value, list):
        return "[", [("", child) for child in value], "]"
    if isinstance(value, tuple):
        return "(", [("", child) for child in value], ")"
    if isinstance(value, CallExpr):
        elements: list[Element] = [("", child) for child in value.positional]
        elements += [(f"{name}=", child) for name, child in value.keywords]
        return f"{value.callee}(", elements, ")"
    if isinstance(value, SubscriptExpr):
        return f"{value.name}[", [("", child) for child in value.elements], "]"
    return _atom(value), [], ""


def _atom(value: Value) -> str:
    """The text of a value without elements."""
    if isinstance(value, NameExpr):
        return value.text
    if value is None or isinstance(value, bool | int):
        return repr(value)
    if isinstance(value, float) and not isnan(value):
        return repr(value).replace("e+", "e").replace("inf", "1e999")
    raise TypeError(f"{type(value).__name__} has no literal")


def _string(text: str, indent: int, before: int) -> str:
    """A string too wide for its line: alone in parentheses, or split between words."""
    pad = " " * (indent + 4)
    room = LINE_LENGTH - len(pad)
    line = python_literal(text)
    if before and width(line) <= room:
        chunks = [line]
    else:
        chunks = _chunks(text, room)
        if len(chunks) == 1:
            return line
    return "(\n" + "".join(f"{pad}{chunk}\n" for chunk in chunks) + " " * indent + ")"


def _chunks(text: str, room: int) -> list[str]:
    """The literals of the pieces of `text`, each as many words as fit; a line ends a piece."""
    chunks: list[str] = []
    chunk, used = "", 2
    for word in _words(text, max(room - 2, _NARROWEST)):
        columns = _columns(word)
        if chunk and (used + columns > room or chunk.endswith("\n")):
            chunks.append(python_literal(chunk))
            chunk, used = "", 2
        chunk += word
        used += columns
    return [*chunks, python_literal(chunk)]


def _words(text: str, room: int) -> Iterator[str]:
    """The words of `text` with the spaces behind them; one that is wider than `room` is cut,
    behind its `&`, `,` and `/` if that is enough."""
    for word in _WORD.findall(text):
        if _columns(word) <= room:
            yield word
            continue
        for piece in _PIECE.findall(word):
            if _columns(piece) <= room:
                yield piece
            else:
                yield from _letters(piece, room)


def _letters(piece: str, room: int) -> Iterator[str]:
    """Slices of a piece without a seam, none wider than `room`."""
    start, used = 0, 0
    for end, letter in enumerate(piece):
        columns = _columns(letter)
        if used + columns > room:
            yield piece[start:end]
            start, used = end, 0
        used += columns
    yield piece[start:]


@lru_cache(maxsize=8_192)
def _columns(text: str) -> int:
    """The columns that a text takes inside a literal; the words of a document are few."""
    return width(escape_literal(text))
