"""Writes YAML values, and inserts entries into a YAML text without changing another byte."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mcpgen.diagnostics.render import escape_invisible
from mcpgen.ir.source import Json
from mcpgen.read.yaml_events import YamlSpan, count_with_comments, yaml_spans

INDENT = 2
BYTE_ORDER_MARK = "\ufeff"
_BREAK = re.compile(r"(?<=\n)|(?<=\r)(?!\n)")

Entries = Sequence[Sequence[str]]
"""Entries of a mapping, each as its lines without indentation."""


@dataclass(frozen=True, slots=True)
class CannotInsert:
    """A mapping that nothing can be put into: its path."""

    path: tuple[str, ...]


def insert_entries(text: str, new: Mapping[str, Entries]) -> str | CannotInsert:
    """The text with entries at the end of its blocks, by the block's key; a block that is missing is
    made at the end.

    The text may have a byte order mark and any line breaks; these stay, and new ones are like its
    first. Blocks have to be written as blocks, not in braces.
    """
    page = _Page.of(text)
    root = page.root
    if root is None or root.key_column is None:
        return CannotInsert(())
    places: list[tuple[int, list[str]]] = []
    for key, entries in new.items():
        block = root.below.get(key)
        if block is not None and block.key_column is None:
            return CannotInsert((key,))
        places.append(_placed(key, entries, block, root, page.bare))
    places.sort(key=lambda place: place[0])
    # From the last line up, so that numbers stay true; blocks at the same line keep their order.
    for number, made in reversed(places):
        page.insert(number, made)
    return page.text


def insert_first(text: str, path: tuple[str, ...], line: str) -> str | CannotInsert:
    """The text with another first entry of the mapping at a path, be it a block or in braces."""
    page = _Page.of(text)
    found = page.root.find(path) if page.root else None
    if found is None or not found.mapping:
        return CannotInsert(path)
    if found.key_column is not None:
        page.insert(found.start[0], [" " * found.key_column + line])
        return page.text
    row, column = found.start[0], found.start[1] + len("{")
    between = ", " if found.below else ""
    page.lines[row] = page.lines[row][:column] + line + between + page.lines[row][column:]
    return page.text


def replace_scalar(text: str, path: tuple[str, ...], value: str) -> str | CannotInsert:
    """The text with another scalar, already written as YAML, in the place of the one at a path."""
    page = _Page.of(text)
    found = page.root.find(path) if page.root else None
    if found is None or found.mapping or found.start[0] != found.end[0]:
        return CannotInsert(path)
    row, (start, end) = found.start[0], (found.start[1], found.end[1])
    page.lines[row] = page.lines[row][:start] + value + page.lines[row][end:]
    return page.text


@dataclass(slots=True)
class _Page:
    """A text in lines that keep their breaks; `newline` is the first of these."""

    mark: str
    lines: list[str]
    newline: str

    @classmethod
    def of(cls, text: str) -> _Page:
        mark = BYTE_ORDER_MARK if text.startswith(BYTE_ORDER_MARK) else ""
        lines = _BREAK.split(text.removeprefix(mark))
        breaks = re.search(r"\r\n|\r|\n", text)
        return cls(mark, lines if lines[-1] else lines[:-1], breaks[0] if breaks else "\n")

    @property
    def bare(self) -> list[str]:
        """The lines without their breaks."""
        return [line.rstrip("\r\n") for line in self.lines]

    @property
    def root(self) -> YamlSpan | None:
        """What stands where."""
        return yaml_spans("\n".join([*self.bare, ""]))

    @property
    def text(self) -> str:
        return self.mark + "".join(self.lines)

    def insert(self, number: int, made: Sequence[str]) -> None:
        """Puts lines before the one of that number, from 0; the last line gets its break."""
        if number == len(self.lines) and self.lines and self.bare[-1] == self.lines[-1]:
            self.lines[-1] += self.newline
        self.lines[number:number] = [line + self.newline for line in made]


def _placed(
    key: str, entries: Entries, block: YamlSpan | None, root: YamlSpan, bare: list[str]
) -> tuple[int, list[str]]:
    """Before which line the entries go, and their lines."""
    if block is None:
        outer = " " * (root.key_column or 0)
        number = count_with_comments(bare, root.lines, root.key_column or 0)
        return number, [f"{outer}{key}:", *_indented(entries, outer + " " * INDENT)]
    column = block.key_column or 0
    return count_with_comments(bare, block.lines, column), _indented(entries, " " * column)


def _indented(entries: Entries, before: str) -> list[str]:
    return [f"{before}{line}" for entry in entries for line in entry]


WIDTH = 100
"""Columns of a line; a list of assertions that does not fit gets a line each."""

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_/.]*(?:-[A-Za-z0-9_/.]+)*")
_RESERVED = frozenset(["true", "false", "null", "yes", "no", "on", "off", "y", "n"])
_LONGEST = 200


def yaml_scalar(value: Json) -> str:
    """A text, number or flag; a text without quotes only where no YAML reads it as anything else."""
    if not isinstance(value, str):
        return json.dumps(value)
    if _PLAIN.fullmatch(value) and value.lower() not in _RESERVED:
        return value
    return json.dumps(value, ensure_ascii=escape_invisible(value) != value)


def flow(value: Json) -> str:
    """A value on one line."""
    if isinstance(value, dict):
        inner = ", ".join(f"{yaml_scalar(key)}: {flow(member)}" for key, member in value.items())
        return f"{{{inner}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(flow(element) for element in value)}]"
    return yaml_scalar(value)


def yaml_comment(text: str) -> str:
    """A text as a comment on one line, which it cannot leave."""
    line = escape_invisible(" ".join(text.split()))
    return f"# {line if len(line) <= _LONGEST else line[: _LONGEST - 1] + '…'}"
