"""Adds and removes the table of an entry in a TOML text, and changes no other byte."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any, NoReturn

from mcpgen.clients import toml_table
from mcpgen.config.toml_positions import TOKEN, toml_position
from mcpgen.pipeline.connect.errors import ConfigUnusable

_PLACE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")


def entry_names(text: str, key: str) -> list[str]:
    """The names of the tables below `key`. Raises ConfigUnusable."""
    entries = _parse_toml_config(text).get(key, {})
    if not isinstance(entries, dict):
        raise ConfigUnusable(f"`{key}` is not a table", text, _path_offset(text, (key,)))
    return list(entries)


def set_entry(text: str, key: str, name: str, value: Mapping[str, Any]) -> str:
    """Adds the table `[key.name]` at the end, or replaces the table. Raises ConfigUnusable."""
    tree = _parse_toml_config(text)
    if name in entry_names(text, key) and tree[key][name] == value:
        return text
    newline = "\r\n" if "\r\n" in text else "\n"
    table = toml_table(key, name, value).replace("\n", newline)
    blocks = list(_table_spans(text, (key, name)))
    if name in entry_names(text, key) and not blocks:
        _refuse_place(text, (key, name))
    if blocks:
        (start, end), *others = blocks
        changed = text
        for first, last in reversed(others):
            changed = changed[:first] + changed[last:]
        changed = changed[:start] + table.removesuffix(newline) + changed[end:]
    elif not text.strip():
        changed = text + table
    elif text.endswith("\n"):
        changed = text + newline + table
    else:
        changed = text + 2 * newline + table.removesuffix(newline)
    expected = {**tree, key: {**tree.get(key, {}), name: dict(value)}}
    return _require_values(changed, expected, text, (key,))


def remove_entry(text: str, key: str, name: str) -> str:
    """Removes the table `[key.name]` with the tables below, and a blank line before. Raises
    ConfigUnusable."""
    tree = _parse_toml_config(text)
    if name not in entry_names(text, key):
        return text
    blocks = list(_table_spans(text, (key, name)))
    changed = text
    for start, end in reversed(blocks):
        before, after = changed[:start], changed[end:]
        newline = "\r\n" if before.endswith("\r\n") else "\n"
        if not after:
            # A text without a final line break gets a table without one.
            before = before.removesuffix(newline).removesuffix(newline)
        else:
            after = after[len("\r\n") :] if after.startswith("\r\n") else after.removeprefix("\n")
            if before.endswith(2 * newline):
                before = before.removesuffix(newline)
        changed = before + after
    others = {other: entry for other, entry in tree[key].items() if other != name}
    return _require_values(changed, {**tree, key: others}, text, (key, name))


def _parse_toml_config(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text.removeprefix("\ufeff"))
    except tomllib.TOMLDecodeError as error:
        reason = str(error)
        place = _PLACE.search(reason)
        offset = len(text)
        if place and place[1]:
            lines = text.splitlines(keepends=True)
            offset = sum(map(len, lines[: int(place[1]) - 1])) + int(place[2]) - 1
        raise ConfigUnusable(_PLACE.sub("", reason), text, offset) from error


def _require_values(
    changed: str, expected: dict[str, Any], text: str, path: tuple[str, ...]
) -> str:
    """Returns the changed text. Raises ConfigUnusable unless the text has the expected values."""
    try:
        tree = {path[0]: {}, **tomllib.loads(changed.removeprefix("\ufeff"))}
    except tomllib.TOMLDecodeError:
        _refuse_place(text, path)
    if tree != expected:
        _refuse_place(text, path)
    return changed


def _refuse_place(text: str, path: tuple[str, ...]) -> NoReturn:
    name = ".".join(path)
    reason = f"`{name}` is not written as tables `[{name}…]`, so only you can change the value"
    raise ConfigUnusable(reason, text, _path_offset(text, path))


def _path_offset(text: str, path: tuple[str, ...]) -> int:
    line, column = toml_position(text, path)
    return sum(map(len, text.splitlines(keepends=True)[: line - 1])) + column - 1


def _table_spans(text: str, path: tuple[str, ...]) -> Iterator[tuple[int, int]]:
    """The spans of the tables at and below `path`, from the header to the last value. Comments and
    blank lines behind the last value stay outside."""
    start: int | None = None
    end = depth = 0
    is_start, in_header = True, False
    for token in TOKEN.finditer(text):
        kind = token.lastgroup
        if kind == "newline":
            is_start = depth == 0
            in_header &= not is_start
            continue
        if kind == "comment":
            if start is not None and not is_start:
                end = token.end()
            continue
        if is_start and token[0] == "[":
            if start is not None:
                yield start, end
            header = _header_path(text, token.start())
            start = token.start() if header[: len(path)] == path else None
            in_header = True
        is_start = False
        if not in_header and token[0] in "[]{}" and kind == "sign":
            depth += 1 if token[0] in "[{" else -1
        end = token.end()
    if start is not None:
        yield start, end


def _header_path(text: str, offset: int) -> tuple[str, ...]:
    """The path of the header at an offset."""
    line = text[offset:].splitlines()[0]
    try:
        tree: Any = tomllib.loads(line)
    except tomllib.TOMLDecodeError:
        return ()
    path: list[str] = []
    while isinstance(tree, dict) and tree:
        name = next(iter(tree))
        path.append(name)
        tree = tree[name]
    return tuple(path)
