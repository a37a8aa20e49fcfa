"""Findings as people read them in a terminal, and as programs read them."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

from mcpgen.diagnostics.diagnostic import Diagnostic, Severity
from mcpgen.diagnostics.location import Location

EXCERPT = 100
"""Characters of a source line that are shown; minified JSON has lines of megabytes."""

NAME = 200
"""Characters of a file's name or a pointer that are shown."""

HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Unicode categories that a terminal obeys or does not draw: controls, bidi marks, separators."""

COLOURS = {Severity.ERROR: "31", Severity.WARNING: "33", Severity.NOTE: "36"}
BOLD = "1"


class LineColumn(Protocol):
    """A line and a column, from 1."""

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
    findings: Iterable[Diagnostic], locate: Locate, line_of: LineOf, *, colour: bool = False
) -> str:
    """The findings in order of their places, each with its excerpt and hint; `""` for none.

    `locate` tells where a location stands, `line_of` what a line of a file says; both answer None
    where they do not know, and the finding is shown without. `colour` adds ANSI colours.
    """
    placed = [(_place(found.at, locate), found) for found in findings]
    placed.sort(key=lambda each: (each[1].at.file, each[0], *each[1].sort_key()))
    blocks = ("\n".join(_block(found, place, line_of, colour)) for place, found in placed)
    return "\n\n".join(blocks)


def diagnostic_as_json(found: Diagnostic, locate: Locate) -> dict[str, str | int]:
    """A finding as JSON; `line` and `column` are 0 where they are not known."""
    line, column = _place(found.at, locate)
    return {
        "id": found.code.id,
        "name": found.code.name,
        "severity": found.severity.value,
        "message": found.message,
        "hint": found.hint,
        "file": found.at.file,
        "line": line,
        "column": column,
        "pointer": found.at.pointer,
    }


def escape_invisible(text: str) -> str:
    """The text with every character that would not be seen written as its escape."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        _escape(character) if unicodedata.category(character) in HIDDEN else character
        for character in text
    )


def line_excerpt(line: str, column: int, width: int = EXCERPT) -> str:
    """The part of a line around a column (from 1), visible, in about `width` characters."""
    start = 0 if len(line) <= width else max(0, min(column - width // 2, len(line) - width))
    part = escape_invisible(line[start : start + width].replace("\t", " "))
    before = "…" if start else ""
    behind = "…" if start + width < len(line) else ""
    return f"{before}{part}{behind}".rstrip()


def _block(
    found: Diagnostic, place: tuple[int, int], line_of: LineOf, colour: bool
) -> Iterator[str]:
    """The lines of one finding: head, message, excerpt, hint."""
    line, column = place
    severity = _painted(found.severity.value, COLOURS[found.severity], colour)
    where = _painted(_where(found.at, place), BOLD, colour)
    head = f"{severity} {found.code.id} {found.code.name}"
    yield f"{where}: {head}" if where else head
    yield f"  {escape_invisible(found.message)}"
    source = line_of(found.at.file, line) if line else None
    if source is not None and source.strip():
        yield f"  {line:>3} | {line_excerpt(source, column)}"
    if found.hint:
        yield f"  hint: {escape_invisible(found.hint)}"


def _place(at: Location, locate: Locate) -> tuple[int, int]:
    """Line and column, or zeros."""
    if at.line:
        return at.line, at.column
    position = locate(at)
    return (position.line, position.column) if position else (0, 0)


def _where(at: Location, place: tuple[int, int]) -> str:
    """The head of a finding: `file:line:column`, or the pointer where no line is known."""
    file = escape_invisible(_short(at.file))
    if place[0]:
        return f"{file}:{place[0]}:{place[1]}"
    pointer = escape_invisible(_short(at.pointer))
    return f"{file}#{pointer}" if pointer else file


def _short(text: str) -> str:
    return text if len(text) <= NAME else text[:NAME] + "…"


def _escape(character: str) -> str:
    code = ord(character)
    if code < 0x100:
        return {"\n": "\\n", "\r": "\\r", "\t": "\\t"}.get(character, f"\\x{code:02x}")
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _painted(text: str, style: str, colour: bool) -> str:
    return f"\x1b[{style}m{text}\x1b[0m" if colour and text else text
