"""Values of a specification with their locations, and JSON Pointers to values."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import unquote

from mcpgen.diagnostics import Location
from mcpgen.ir.source import Document, Json

Path = tuple[str, ...]

_NAMES: dict[type, str] = {
    dict: "a mapping",
    list: "a list",
    str: "a text",
    bool: "true or false",
    int: "a number",
    float: "a number",
    type(None): "empty",
}


@dataclass(frozen=True, slots=True)
class Node:
    """A JSON value, its document and its path; `value` is never a resolved reference."""

    value: Json
    document: Document
    path: Path

    @property
    def at(self) -> Location:
        """Location of the value."""
        return Location(self.document.name, self.path)

    def get(self, key: str) -> Json:
        """Value of a key, or None; None for any value but a mapping."""
        return self.value.get(key) if isinstance(self.value, dict) else None

    def has(self, key: str) -> bool:
        """True for a mapping with the key."""
        return isinstance(self.value, dict) and key in self.value

    def child(self, key: str) -> Node:
        """Node of a key; a node with value None if the key is absent."""
        return Node(self.get(key), self.document, (*self.path, key))

    def members(self) -> Iterator[tuple[str, Node]]:
        """Yields keys and nodes of a mapping, in document order; nothing for any other value."""
        if isinstance(self.value, dict):
            for key, value in self.value.items():
                yield key, Node(value, self.document, (*self.path, key))

    def elements(self) -> Iterator[Node]:
        """Yields the nodes of a list in order; nothing for any other value."""
        if isinstance(self.value, list):
            for index, value in enumerate(self.value):
                yield Node(value, self.document, (*self.path, str(index)))


REFERENCE_EXAMPLES = {
    "$ref": "#/components/schemas/Pet",
    "$dynamicRef": "#node",
    "$recursiveRef": "#",
}
"""A reference for each keyword, for hints."""


def value_kind(value: Json) -> str:
    """Type of a value for messages: `a mapping`, `a list`, `empty`."""
    return _NAMES.get(type(value), "something else")


def format_value(value: Json, limit: int = 60) -> str:
    """A value for messages, on one line of at most `limit` characters: a text as it is, any other
    value as JSON.

    Example: `{"a": [1]}` gives `{"a": [1]}`, and a text of 100 letters gives 59 letters and `…`.
    """
    text = value if isinstance(value, str) else value_as_json(value)
    text = " ".join(text[: limit * 4].split())
    return text if len(text) <= limit else text[: limit - 1] + "…"


def format_wrong_value(value: Json) -> str:
    """A wrong value for messages: a text in back-ticks, otherwise the type."""
    return f"`{format_value(value)}`" if isinstance(value, str) and value else value_kind(value)


def value_as_json(value: Json) -> str:
    """A value as JSON; non-ASCII characters stay, unknown types become texts."""
    return json.dumps(value, ensure_ascii=False, default=str)


_INDEX = re.compile(r"0|[1-9][0-9]{0,8}")


def pointer_tokens(fragment: str) -> Path:
    """Keys of a JSON Pointer in a URI fragment (RFC 6901 §6), which is empty or begins with a
    slash.

    Example: `/paths/~1pets` gives `("paths", "/pets")`.
    """
    if not fragment:
        return ()
    return tuple(
        key.replace("~1", "/").replace("~0", "~") for key in unquote(fragment)[1:].split("/")
    )


def get_member(value: Json, key: str) -> tuple[bool, Json]:
    """Returns (True, member) for an existing key or index, otherwise (False, None)."""
    if isinstance(value, dict):
        return key in value, value.get(key)
    if isinstance(value, list) and _INDEX.fullmatch(key) and int(key) < len(value):
        return True, value[int(key)]
    return False, None
