"""Writes YAML values, and inserts entries into YAML text without changing any existing byte."""

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
"""Entries of a mapping, as lists of lines without indentation."""


@dataclass(frozen=True, slots=True)
class CannotInsert:
    """The path of a mapping that cannot take new entries."""

    path: tuple[str, ...]


def insert_entries(text: str, new: Mapping[str, Entries]) -> str | CannotInsert:
    """Appends entries to the text's blocks, by block key; a missing block is added at the end.

    A byte order mark and all line breaks stay; new line breaks equal the first. Flow mappings
    (`{…}`) are refused.
    """
    page = _Page.of(text)
    root = page.root
    if root is None or root.key_column is None:
        return CannotInsert(())
    places: list[tuple[int, bool, list[str]]] = []
    for key, entries in new.items():
        block = root.below.get(key)
        if block is not None and block.key_column is None:
            return CannotInsert((key,))
        number, lines = _placed(key, entries, block, root, page.bare)
        places.append((number, block is None, lines))
    # If two insertions are at the same line, entries of an existing block come before a new block.
    places.sort(key=lambda place: place[:2])
    # From the last line up, so line numbers stay valid.
    for number, _, entry_lines in reversed(places):
        page.insert(number, entry_lines)
    return page.text


def insert_first(text: str, path: tuple[str, ...], line: str) -> str | CannotInsert:
    """Inserts `line` as the first entry of the mapping at `path`, in block or flow style."""
    page = _Page.of(text)
    entry = page.root.find(path) if page.root else None
    if entry is None or not entry.mapping:
        return CannotInsert(path)
    if entry.key_column is not None:
        page.insert(entry.start[0], [" " * entry.key_column + line])
        return page.text
    row, column = entry.start[0], entry.start[1] + len("{")
    between = ", " if entry.below else ""
    page.lines[row] = page.lines[row][:column] + line + between + page.lines[row][column:]
    return page.text


def replace_entry(text: str, path: tuple[str, ...], entry: Sequence[str]) -> str | CannotInsert:
    """Replaces the entry at `path`, with its comments, by lines without indentation.

    Key and value have to be a block of their own.
    """
    page = _Page.of(text)
    node = page.root.find(path) if page.root else None
    parent = page.root.find(path[:-1]) if page.root else None
    if node is None or node.key_column is None or parent is None or parent.key_column is None:
        return CannotInsert(path)
    end = count_with_comments(page.bare, node.lines, node.key_column)
    # The key stands on the line before its first member, above comments and blank lines.
    start = node.start[0] - 1
    while start and (not page.bare[start].strip() or page.bare[start].lstrip().startswith("#")):
        start -= 1
    if page.bare[start].strip() == ":" and page.bare[start - 1].lstrip().startswith("?"):
        start -= 1
    del page.lines[start:end]
    page.insert(start, [" " * parent.key_column + line for line in entry])
    return page.text


def replace_scalar(text: str, path: tuple[str, ...], value: str) -> str | CannotInsert:
    """Replaces the scalar at `path` by `value`, which is already YAML."""
    page = _Page.of(text)
    node = page.root.find(path) if page.root else None
    if node is None or node.mapping or node.start[0] != node.end[0]:
        return CannotInsert(path)
    row, (start, end) = node.start[0], (node.start[1], node.end[1])
    page.lines[row] = page.lines[row][:start] + value + page.lines[row][end:]
    return page.text


@dataclass(slots=True)
class _Page:
    """A text as lines with their line breaks; `newline` is the first line break."""

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
        """The root span of the text, with all nested spans."""
        return yaml_spans("\n".join([*self.bare, ""]))

    @property
    def text(self) -> str:
        return self.mark + "".join(self.lines)

    def insert(self, number: int, lines: Sequence[str]) -> None:
        """Inserts lines before line `number` (from 0); the last line gets a line break."""
        if number == len(self.lines) and self.lines and self.bare[-1] == self.lines[-1]:
            self.lines[-1] += self.newline
        self.lines[number:number] = [line + self.newline for line in lines]


def _placed(
    key: str, entries: Entries, block: YamlSpan | None, root: YamlSpan, bare: list[str]
) -> tuple[int, list[str]]:
    """Returns the line number for the entries, and the indented lines."""
    if block is None:
        outer = " " * (root.key_column or 0)
        number = count_with_comments(bare, root.lines, root.key_column or 0)
        return number, [f"{outer}{key}:", *_indented(entries, outer + " " * INDENT)]
    column = block.key_column or 0
    return count_with_comments(bare, block.lines, column), _indented(entries, " " * column)


def _indented(entries: Entries, before: str) -> list[str]:
    return [f"{before}{line}" for entry in entries for line in entry]


WIDTH = 100
"""Columns per line; a longer list of assertions gets a line per assertion."""

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_/.]*(?:-[A-Za-z0-9_/.]+)*")
_RESERVED = frozenset(["true", "false", "null", "yes", "no", "on", "off", "y", "n"])
_MAX_LINE = 200


def yaml_scalar(value: Json) -> str:
    """Renders a scalar; strings are quoted unless YAML reads the plain form as a string.

    Example: `yaml_scalar("yes")` gives `'"yes"'`.
    """
    if not isinstance(value, str):
        return json.dumps(value)
    if _PLAIN.fullmatch(value) and value.lower() not in _RESERVED:
        return value
    return json.dumps(value, ensure_ascii=escape_invisible(value) != value)


def flow(value: Json) -> str:
    """Renders a value on a single line.

    Example: `flow({"a": [1, "b"]})` gives `'{a: [1, b]}'`.
    """
    if isinstance(value, dict):
        inner = ", ".join(f"{yaml_scalar(key)}: {flow(member)}" for key, member in value.items())
        return f"{{{inner}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(flow(element) for element in value)}]"
    return yaml_scalar(value)


def yaml_comment(text: str) -> str:
    """Renders text as a single-line comment; escapes invisible characters."""
    line = escape_invisible(" ".join(text.split()))
    return f"# {line if len(line) <= _MAX_LINE else line[: _MAX_LINE - 1] + '…'}"
