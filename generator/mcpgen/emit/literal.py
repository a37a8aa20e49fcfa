"""Python values as source text, in exactly the layout that black leaves unchanged.

A value that fits stays on a single line; else the brackets are opened and every element gets a line
with a trailing comma. A string that does not fit is split between words, in parentheses.

Nothing else imports black: black reads 42 kB a second, and a large project has megabytes, so black runs
only over text of another layout.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import isnan
from typing import Any, TypeAlias

from mcpgen.emit.escape import escape_literal, python_literal
from mcpgen.ir.source import Json

LINE_LENGTH = 100
"""The columns of every generated Python file; the project's own settings say the same."""


def width(text: str) -> int:
    """The columns of `text` as black counts them: wide characters take two.

    Example: `width("港")` gives `2`.
    """
    if text.isascii():
        return len(text)
    from black.strings import str_width  # black costs a fifth of a second to import

    return str_width(text)


def format_source(source: str) -> str:
    """Formats `source` with black. Raises black's InvalidInput for text that is not Python."""
    from black import format_str
    from black.mode import Mode, TargetVersion

    mode = Mode(line_length=LINE_LENGTH, target_versions={TargetVersion.PY311})
    return format_str(source, mode=mode)


@dataclass(frozen=True, slots=True)
class NameExpr:
    """A name, printed unchanged. Only `emit` chooses these names, never a document."""

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
    """A union of two types, `value | other`; `value` may be a union."""

    value: Value
    other: Value = None


Value: TypeAlias = Json | NameExpr | CallExpr | SubscriptExpr | UnionExpr | tuple["Value", ...]
"""A printable value: JSON, tuples, names, calls and types, in any mixture."""

Element: TypeAlias = tuple[str, Value]
"""An element of a bracket: the prefix (`key=`, `"key": ` or nothing), and the value."""

_WORD = re.compile(r"[^\n ]+ *\n?| +\n?|\n")
_PIECE = re.compile(r"[^&,/]+[&,/]*|[&,/]+")
_ATOMS = (NameExpr, int, float, type(None))
"""Values without elements, strings aside."""

_MAPPINGS = (dict, Mapping)
"""`dict` first: most mappings are dicts, and `isinstance` is faster for dicts than for `Mapping`.
"""

_MIN_WIDTH = 20
"""The minimal columns of a string, at any depth."""


def printed(value: Value, *, indent: int = 0, before: int = 0, after: int = 0) -> str:
    """The source text of `value`, for a line indented by `indent`.

    `before` and `after` are the columns used on the same line around the value. Raises TypeError
    for a value without a literal.
    """
    line = _single_line(value, LINE_LENGTH - indent - before - after)
    if line is not None:
        return line
    if isinstance(value, str):
        return _wide_string(value, indent, before)
    if isinstance(value, UnionExpr):
        return f"{printed(value.value, indent=indent)}\n{' ' * indent}| {one_line_literal(value.other)}"
    opening, elements, closing = _split_value(value)
    if not elements:
        return opening + closing
    pad = " " * (indent + 4)
    comma = "" if isinstance(value, SubscriptExpr) and len(elements) == 1 else ","
    lines = [
        f"{pad}{label}{printed(child, indent=indent + 4, before=width(label), after=len(comma))}{comma}\n"
        for label, child in elements
    ]
    return f"{opening}\n{''.join(lines)}{' ' * indent}{closing}"


def evaluated(value: Value, names: Mapping[str, Any]) -> Any:
    """The value of the source text of `value`, without writing and compiling the text. `names` are the
    callees and names. No part of the result belongs to `value`. Raises TypeError for a value without
    a literal, and for a type."""
    if isinstance(value, str):
        return str.__str__(value)  # A member of a `StrEnum` becomes a plain string.
    if value is None or isinstance(value, int) or (isinstance(value, float) and not isnan(value)):
        return value
    if isinstance(value, _MAPPINGS):
        return {str.__str__(key): evaluated(child, names) for key, child in value.items()}
    if isinstance(value, list):
        return [evaluated(child, names) for child in value]
    if isinstance(value, tuple):
        return tuple([evaluated(child, names) for child in value])
    if isinstance(value, NameExpr):
        return names[value.text]
    if isinstance(value, CallExpr):
        positional = [evaluated(child, names) for child in value.positional]
        keywords = {name: evaluated(child, names) for name, child in value.keywords}
        return names[value.callee](*positional, **keywords)
    raise TypeError(f"{type(value).__name__} has no literal")


def one_line_literal(value: Value) -> str:
    """The source text of `value` on a single line, however wide."""
    return printed(value, before=-sys.maxsize)


def _single_line(value: Value, room: int) -> str | None:
    """The single-line text of `value`, or None if wider than `room`."""
    line: str | None
    if isinstance(value, str):
        # Quotes and escapes only add columns: an ASCII text longer than `room` cannot fit.
        if len(value) + 2 > room and value.isascii():
            return None
        line = python_literal(value)
        return line if width(line) <= room else None
    if isinstance(value, UnionExpr):
        tail = f" | {one_line_literal(value.other)}"
        line = _single_line(value.value, room - width(tail))
        return None if line is None else line + tail
    opening, elements, closing = _split_value(value)
    room -= len(opening) + len(closing)
    texts = []
    for label, child in elements:
        room -= width(label)
        line = _single_line(child, room) if room >= 0 else None
        if line is None:
            return None
        texts.append(label + line)
        room -= width(line) + 2
    comma = "," if len(texts) == 1 and opening == "(" else ""
    if room + 2 * bool(texts) < len(comma):
        return None
    return f"{opening}{', '.join(texts)}{comma}{closing}"


def _split_value(value: Value) -> tuple[str, list[Element], str]:
    """The opening text of the value, the elements, and the closing text; an atom is all opening."""
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


def _wide_string(text: str, indent: int, before: int) -> str:
    """A string too wide for the line: alone in parentheses, or split between words."""
    pad = " " * (indent + 4)
    room = LINE_LENGTH - len(pad)
    line = python_literal(text)
    if before and width(line) <= room:
        chunks = [line]
    else:
        chunks = _string_pieces(text, room)
        if len(chunks) == 1:
            return line
    return "(\n" + "".join(f"{pad}{chunk}\n" for chunk in chunks) + " " * indent + ")"


def _string_pieces(text: str, room: int) -> list[str]:
    """The literals of the pieces of `text`, as many words as fit in each; a line break ends a
    piece."""
    chunks: list[str] = []
    chunk, used = "", 2
    for word in _words_with_spaces(text, max(room - 2, _MIN_WIDTH)):
        columns = _columns(word)
        if chunk and (used + columns > room or chunk.endswith("\n")):
            chunks.append(python_literal(chunk))
            chunk, used = "", 2
        chunk += word
        used += columns
    return [*chunks, python_literal(chunk)]


def _words_with_spaces(text: str, room: int) -> Iterator[str]:
    """The words of `text` with the trailing spaces. A word wider than `room` is cut behind `&`, `,`
    and `/`, or anywhere if the pieces are still too wide."""
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
    """Slices of a piece without a place to cut, each at most `room` columns wide."""
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
    """The columns of a text inside a literal. Cached, since documents repeat words."""
    return width(escape_literal(text))
