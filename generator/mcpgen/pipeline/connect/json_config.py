"""Adds and removes an entry in a JSON text with comments, and changes no other byte.

Removing undoes adding without a record of the change: an added container has white space after the
brace, and an entry added to a container that was empty follows the brace directly.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any

from mcpgen.pipeline.connect.errors import ConfigUnusable

_SPACE = re.compile(r"[ \t\r\n\ufeff]*")
_COMMENT = re.compile(r"//[^\r\n]*|/\*.*?\*/", re.DOTALL)
_COMMENT_ON_LINE = re.compile(r"[ \t]*(?://[^\r\n]*|/\*.*?\*/)", re.DOTALL)
_SCALAR = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"|[^\s"{}\[\],:/]+')
_LINE_END = re.compile(r"[ \t]*(?:\r?\n|\Z)")
_INDENTED = re.compile(r"\n([ \t]+)\S")


@dataclass(slots=True)
class _JsonMember:
    """A member of an object: offset of the key, value, and offset of the comma behind, or None."""

    key: str
    start: int
    value: _JsonNode
    comma: int | None = None


@dataclass(slots=True)
class _JsonNode:
    """A value and its offsets, the end exclusive. `members` is None unless the value is an object."""

    start: int
    end: int = 0
    value: Any = None
    members: list[_JsonMember] | None = None
    has_comment: bool = False
    """True if a comment is directly in the object, not in a value of the object."""


@dataclass(slots=True)
class _JsonConfigParser:
    """A recursive descent over JSON with comments and trailing commas."""

    text: str
    comment_ends: set[int] = field(default_factory=set)
    """The ends of line comments."""

    def parse(self) -> _JsonNode:
        at, _ = self._skip(0)
        if at == len(self.text) or self.text[at] != "{":
            raise self._error("an object is expected", at)
        node = self._value(at)
        at, _ = self._skip(node.end)
        if at < len(self.text):
            raise self._error("nothing may follow the object", at)
        return node

    def _skip(self, at: int) -> tuple[int, bool]:
        """The offset behind white space and comments, and whether there was a comment."""
        has_comment = False
        while True:
            at = _end(_SPACE, self.text, at)
            comment = _COMMENT.match(self.text, at)
            if comment is None:
                return at, has_comment
            if comment[0].startswith("//"):
                self.comment_ends.add(comment.end())
            at, has_comment = comment.end(), True

    def _value(self, at: int) -> _JsonNode:
        opening = self.text[at : at + 1]
        if opening == "{":
            return self._object(at)
        if opening == "[":
            return self._array(at)
        return self._scalar(at)

    def _scalar(self, at: int) -> _JsonNode:
        token = _SCALAR.match(self.text, at)
        if token is None:
            raise self._error("a value is expected", at)
        try:
            value = json.loads(token[0])
        except ValueError:
            raise self._error("this is not JSON", at) from None
        return _JsonNode(at, token.end(), value)

    def _object(self, at: int) -> _JsonNode:
        node = _JsonNode(at, value={}, members=[])
        members: list[_JsonMember] = node.members or []
        node.members = members
        at, node.has_comment = self._skip(at + 1)
        while self.text[at : at + 1] != "}":
            if members and members[-1].comma is None:
                raise self._error("`,` or `}` is expected", at)
            key = self._scalar(at)
            if not isinstance(key.value, str):
                raise self._error("a key in double quotes is expected", at)
            at, has_comment = self._skip(key.end)
            if self.text[at : at + 1] != ":":
                raise self._error("`:` is expected", at)
            at, more = self._skip(at + 1)
            member = _JsonMember(key.value, key.start, self._value(at))
            if member.key in node.value:
                raise self._error(f"`{member.key}` is there twice", key.start)
            members.append(member)
            node.value[member.key] = member.value.value
            at, again = self._skip(member.value.end)
            node.has_comment |= has_comment or more or again
            if self.text[at : at + 1] == ",":
                member.comma = at
                at, has_comment = self._skip(at + 1)
                node.has_comment |= has_comment
        node.end = at + 1
        return node

    def _array(self, at: int) -> _JsonNode:
        node = _JsonNode(at, value=[])
        at, _ = self._skip(at + 1)
        is_open = True
        while self.text[at : at + 1] != "]":
            if not is_open:
                raise self._error("`,` or `]` is expected", at)
            element = self._value(at)
            node.value.append(element.value)
            at, _ = self._skip(element.end)
            is_open = self.text[at : at + 1] == ","
            at, _ = self._skip(at + is_open)
        node.end = at + 1
        return node

    def _error(self, reason: str, at: int) -> ConfigUnusable:
        return ConfigUnusable(reason, self.text, at)


def _end(pattern: re.Pattern[str], text: str, at: int) -> int:
    match = pattern.match(text, at)
    return match.end() if match else at


def _parse_json_config(text: str) -> tuple[_JsonNode, set[int]]:
    parser = _JsonConfigParser(text)
    try:
        return parser.parse(), parser.comment_ends
    except RecursionError:
        raise ConfigUnusable("values are nested too deep") from None


def entry_names(text: str, key: str) -> list[str]:
    """The names of the entries under `key`, in order of the file; `[]` without the key. Raises
    ConfigUnusable."""
    root, _ = _parse_json_config(text)
    container = _container(text, root, key)
    return [member.key for member in (container.value.members or [])] if container else []


def set_entry(text: str, key: str, name: str, value: Any) -> str:
    """Adds or replaces the entry `name` under `key`; an equal entry stays as written. Raises
    ConfigUnusable."""
    root, _ = _parse_json_config(text)
    container = _container(text, root, key)
    if container is None:
        return _insert(text, root, root, key, {name: value})
    for member in container.value.members or []:
        if member.key == name:
            if member.value.value == value:
                return text
            start, end = member.value.start, member.value.end
            indent = _line_indent(text, member.start)
            return text[:start] + _render_value(text, value, indent) + text[end:]
    return _insert(text, root, container.value, name, value)


def remove_entry(text: str, key: str, name: str) -> str:
    """Removes the entry `name` under `key`, and the container if `set_entry` made the container.
    Raises ConfigUnusable."""
    root, comment_ends = _parse_json_config(text)
    container = _container(text, root, key)
    members = (container.value.members or []) if container else []
    numbers = [number for number, member in enumerate(members) if member.key == name]
    if container is None or not numbers:
        return text
    node = container.value
    is_ours = len(members) == 1 and not node.has_comment and members[0].start > node.start + 1
    if is_ours and root.members is not None:
        return _delete(text, root, root, root.members.index(container), comment_ends)
    return _delete(text, root, node, numbers[0], comment_ends)


def _container(text: str, root: _JsonNode, key: str) -> _JsonMember | None:
    """The member of the root with the servers. Raises ConfigUnusable unless an object."""
    for member in root.members or []:
        if member.key == key:
            if member.value.members is None:
                raise ConfigUnusable(f"`{key}` is not an object", text, member.value.start)
            return member
    return None


def _insert(text: str, root: _JsonNode, node: _JsonNode, name: str, value: Any) -> str:
    """Adds a member at the end of an object."""
    if not node.members:
        if node is root and text[node.start : node.end] == "{}":
            newline, unit = _newline(text), _unit(text)
            pretty = text[: node.start] + "{" + newline + "}" + text[node.end :]
            body = newline + unit + _render_member(pretty, name, value, unit)
            return text[: node.start] + "{" + body + newline + "}" + text[node.end :]
        indent = _line_indent(text, node.start)
        place = node.start + 1
        return text[:place] + _render_member(text, name, value, indent) + text[place:]
    last = node.members[-1]
    is_open = "\n" in text[node.start : node.end]
    indent = _line_indent(text, last.start)
    behind = last.value.end if last.comma is None else last.comma + 1
    place = behind
    while (end := _end(_COMMENT_ON_LINE, text, place)) != place:
        place = end
    before, after = (",", "") if last.comma is None else ("", ",")
    lead = _newline(text) + indent if is_open else " "
    added = lead + _render_member(text, name, value, indent) + after
    return text[:behind] + before + text[behind:place] + added + text[place:]


def _delete(
    text: str, root: _JsonNode, node: _JsonNode, number: int, comment_ends: set[int]
) -> str:
    """Removes a member with the white space before and one comma."""
    members = node.members or []
    member = members[number]
    start, end = len(text[: member.start].rstrip(" \t\r\n")), member.value.end
    cuts = []
    if member.comma is not None:
        behind = member.comma + 1
        # A member directly behind the brace marks a container that was empty before.
        follows = start == member.start
        cuts.append((member.comma, _end(_SPACE, text, behind) if follows else behind))
    elif number:
        comma = members[number - 1].comma
        cuts.append((comma, comma + 1) if comma is not None else (start, start))
    elif start == node.start + 1 != member.start and node is root and not node.has_comment:
        return text[: node.start] + "{}" + text[node.end :]
    # The rest of the line must not become part of a comment.
    tail = end if member.comma is None else member.comma + 1
    if start in comment_ends and not _LINE_END.match(text, tail):
        start = member.start
    for first, last in sorted([*cuts, (start, end)], reverse=True):
        text = text[:first] + text[last:]
    return text


def _render_member(text: str, name: str, value: Any, indent: str) -> str:
    return f"{json.dumps(name, ensure_ascii=False)}: {_render_value(text, value, indent)}"


def _render_value(text: str, value: Any, indent: str) -> str:
    """A value on several lines, or on one if the text has one line. Nested values that fit on a
    line stay on a line."""
    if not isinstance(value, dict) or not value:
        return json.dumps(value, ensure_ascii=False)
    inner = indent + _unit(text)
    parts = [_render_member(text, key, part, inner) for key, part in value.items()]
    if "\n" not in text.rstrip():
        return "{ " + ", ".join(parts) + " }"
    newline = _newline(text)
    return "{" + ",".join(f"{newline}{inner}{part}" for part in parts) + f"{newline}{indent}}}"


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _unit(text: str) -> str:
    """The indentation of a level: the first indentation of the text."""
    match = _INDENTED.search(text)
    return match[1] if match else "  "


def _line_indent(text: str, offset: int) -> str:
    """The white space at the beginning of a line."""
    line = text[text.rfind("\n", 0, offset) + 1 : offset]
    return line[: len(line) - len(line.lstrip(" \t"))]
