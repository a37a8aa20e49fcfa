"""Adds and removes an entry in a YAML text, and changes no other byte."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mcpgen.clients import yaml_lines
from mcpgen.openspec.bind.yaml_insert import CannotInsert, insert_entries
from mcpgen.pipeline.connect.errors import ConfigUnusable
from mcpgen.read.yaml_events import BrokenYaml, YamlEvents, YamlSpan, yaml_spans


def entry_names(text: str, key: str) -> list[str]:
    """The names of the entries under `key`, in order of the file; `[]` without the key. Raises
    ConfigUnusable."""
    root = _parse_yaml_config(text)
    block = root.below.get(key) if root else None
    return list(block.below) if block and block.mapping else []


def set_entry(text: str, key: str, name: str, value: Mapping[str, Any]) -> str:
    """Adds or replaces the entry `name` under `key`; an entry with the same text stays. Raises
    ConfigUnusable."""
    root = _parse_yaml_config(text)
    lines = yaml_lines(name, value)
    newline = "\r\n" if "\r\n" in text else "\n"
    if root is None:
        added = [f"{key}:", *(f"  {line}" for line in lines)]
        changed = "".join(line + newline for line in added)
        if not text or text.endswith("\n"):
            return text + changed
        return text + newline + changed.removesuffix(newline)
    block = root.below.get(key)
    span = block.below.get(name) if block else None
    if block and span:
        first, last, indent = _lines_of(text, block, name, span)
        old = text.splitlines(keepends=True)
        new = [indent + line + newline for line in lines]
        if not old[last - 1].endswith("\n"):
            new[-1] = new[-1].removesuffix(newline)
        return "".join([*old[:first], *new, *old[last:]])
    inserted = insert_entries(text, {key: [lines]})
    if isinstance(inserted, CannotInsert):
        where = root if not inserted.path else root.below[key]
        name = f"`{key}`" if inserted.path else "the file"
        reason = f"{name} is not a mapping with an entry per line, so only you can change the value"
        raise ConfigUnusable(reason, text, _line_offset(text, where.start))
    return inserted if text.endswith("\n") else inserted.removesuffix(newline)


def remove_entry(text: str, key: str, name: str) -> str:
    """Removes the entry `name` under `key`, and `key` with the last entry. Raises
    ConfigUnusable."""
    root = _parse_yaml_config(text)
    block = root.below.get(key) if root else None
    span = block.below.get(name) if block else None
    if root is None or block is None or span is None:
        return text
    first, last, _ = _lines_of(text, block, name, span)
    lines = text.splitlines(keepends=True)
    removed = {*range(first, last)}
    if len(block.below) == 1:
        removed.update(number for number in range(first) if lines[number].rstrip() == f"{key}:")
    changed = "".join(line for number, line in enumerate(lines) if number not in removed)
    if last == len(lines) and not text.endswith("\n"):
        changed = changed.removesuffix("\n").removesuffix("\r")
    return changed


def _parse_yaml_config(text: str) -> YamlSpan | None:
    """The spans of the mapping at the root; None for a text without a value. Raises
    ConfigUnusable."""
    try:
        for _ in YamlEvents(text):
            pass
    except BrokenYaml as error:
        at = (error.at.line - 1, error.at.column - 1)
        raise ConfigUnusable(error.problem, text, _line_offset(text, at)) from error
    root = yaml_spans(text)
    if root is not None and not root.mapping:
        raise ConfigUnusable("a mapping is expected", text, _line_offset(text, root.start))
    return root


def _lines_of(text: str, block: YamlSpan, name: str, span: YamlSpan) -> tuple[int, int, str]:
    """The lines of an entry with its key, from 0, the end exclusive; and the indentation."""
    before = [other for other in block.below.values() if other.start < span.start]
    column = block.key_column
    if column is None:
        reason = f"`{name}` is not written on lines of its own, so only you can change the value"
        raise ConfigUnusable(reason, text, _line_offset(text, span.start))
    lines = text.splitlines()
    floor = max((other.lines for other in before), default=0)
    first = next(
        number
        for number in range(span.start[0], floor - 1, -1)
        if lines[number][:column].isspace()
        and not lines[number][column : column + 1].isspace()
        and not lines[number].lstrip().startswith("#")
    )
    return first, span.lines, " " * column


def _line_offset(text: str, at: tuple[int, int]) -> int:
    """The offset of a line and a column, both from 0."""
    return sum(map(len, text.splitlines(keepends=True)[: at[0]])) + at[1]
