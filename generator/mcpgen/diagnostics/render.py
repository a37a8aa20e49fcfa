"""Renders diagnostics for terminals and as JSON."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

from mcpgen.diagnostics.diagnostic import Diagnostic, Location, Severity

EXCERPT = 100
"""Characters of a source line in an excerpt; minified JSON has lines of megabytes."""

NAME = 200
"""Characters of a file name or pointer in a heading."""

HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Unicode categories that a terminal interprets or does not draw: controls, bidi marks, separators.
"""

COLORS = {Severity.ERROR: "31", Severity.WARNING: "33", Severity.NOTE: "36"}
BOLD = "1"


class LineColumn(Protocol):
    """Line and column, from 1."""

    @property
    def line(self) -> int: ...

    @property
    def column(self) -> int: ...


Locate = Callable[[Location], LineColumn | None]
LineOf = Callable[[str, int], str | None]


@dataclass(frozen=True, slots=True)
class SourceMap:
    """Looks up the position of a location, and the text of a line of a file.

    Lookups happen on demand, because most findings are never printed.
    """

    position: Locate = lambda _: None
    line: LineOf = lambda _, __: None


def show(
    findings: Iterable[Diagnostic], locate: Locate, line_of: LineOf, *, color: bool = False
) -> str:
    """Renders diagnostics in order of location, with excerpt and hint; `""` for none.

    `locate` maps a location to a position, `line_of` a file and line to the text; either may give
    None, which leaves out the position or the excerpt. `color` adds ANSI colors.
    """
    placed = [(_line_and_column(diagnostic.at, locate), diagnostic) for diagnostic in findings]
    placed.sort(key=lambda pair: (pair[1].at.file, pair[0], *pair[1].sort_key()))
    blocks = (
        "\n".join(_diagnostic_lines(diagnostic, place, line_of, color))
        for place, diagnostic in placed
    )
    return "\n\n".join(blocks)


def diagnostic_as_json(diagnostic: Diagnostic, locate: Locate) -> dict[str, str | int]:
    """A diagnostic as a JSON object; unknown `line` and `column` are 0."""
    line, column = _line_and_column(diagnostic.at, locate)
    return {
        "id": diagnostic.code.id,
        "name": diagnostic.code.name,
        "severity": diagnostic.severity.value,
        "message": diagnostic.message,
        "hint": diagnostic.hint,
        "file": diagnostic.at.file,
        "line": line,
        "column": column,
        "pointer": diagnostic.at.pointer,
    }


def escape_invisible(text: str) -> str:
    r"""Escapes characters that a terminal interprets or hides. Example: U+001B becomes `\x1b`."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        _escape_character(character) if unicodedata.category(character) in HIDDEN else character
        for character in text
    )


def line_excerpt(line: str, column: int) -> str:
    """At most `EXCERPT` characters of a line around `column` (from 1), with invisible characters
    escaped."""
    start = max(0, min(column - EXCERPT // 2, len(line) - EXCERPT))
    part = escape_invisible(line[start : start + EXCERPT].replace("\t", " "))
    prefix = "…" if start else ""
    suffix = "…" if start + EXCERPT < len(line) else ""
    return f"{prefix}{part}{suffix}".rstrip()


def _diagnostic_lines(
    diagnostic: Diagnostic, place: tuple[int, int], line_of: LineOf, color: bool
) -> Iterator[str]:
    """Lines of one diagnostic: heading, message, excerpt, hint."""
    line, column = place
    severity = _paint(diagnostic.severity.value, COLORS[diagnostic.severity], color)
    where = _paint(_head_location(diagnostic.at, place), BOLD, color)
    head = f"{severity} {diagnostic.code.id} {diagnostic.code.name}"
    yield f"{where}: {head}" if where else head
    yield f"  {escape_invisible(diagnostic.message)}"
    source = line_of(diagnostic.at.file, line) if line else None
    if source is not None and source.strip():
        yield f"  {line:>3} | {line_excerpt(source, column)}"
    if diagnostic.hint:
        yield f"  hint: {escape_invisible(diagnostic.hint)}"


def _line_and_column(at: Location, locate: Locate) -> tuple[int, int]:
    """Line and column, or zeros."""
    if at.line:
        return at.line, at.column
    position = locate(at)
    return (position.line, position.column) if position else (0, 0)


def _head_location(at: Location, place: tuple[int, int]) -> str:
    """`file:line:column`, or `file#pointer` without known line."""
    file = escape_invisible(_shorten_heading(at.file))
    if place[0]:
        return f"{file}:{place[0]}:{place[1]}"
    pointer = escape_invisible(_shorten_heading(at.pointer))
    return f"{file}#{pointer}" if pointer else file


def _shorten_heading(text: str) -> str:
    return text if len(text) <= NAME else text[:NAME] + "…"


def _escape_character(character: str) -> str:
    code = ord(character)
    if code < 0x100:
        return {"\n": "\\n", "\r": "\\r", "\t": "\\t"}.get(character, f"\\x{code:02x}")
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _paint(text: str, style: str, color: bool) -> str:
    return f"\x1b[{style}m{text}\x1b[0m" if color and text else text
