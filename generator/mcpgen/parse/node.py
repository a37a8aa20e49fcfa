"""A value of the specification together with the place where it stands."""

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
    """A JSON value, its document and its path in it; `value` is never a resolved reference."""

    value: Json
    document: Document
    path: Path

    @property
    def at(self) -> Location:
        """Where the value stands."""
        return Location(self.document.name, self.path)

    def get(self, key: str) -> Json:
        """The value of a key, or None; also None where this is no mapping."""
        return self.value.get(key) if isinstance(self.value, dict) else None

    def has(self, key: str) -> bool:
        """Whether this is a mapping that has the key."""
        return isinstance(self.value, dict) and key in self.value

    def child(self, key: str) -> Node:
        """The value of a key; a node that holds None where there is none."""
        return Node(self.get(key), self.document, (*self.path, key))

    def members(self) -> Iterator[tuple[str, Node]]:
        """The keys of a mapping and their values, in document order; none for anything else."""
        if isinstance(self.value, dict):
            for key, value in self.value.items():
                yield key, Node(value, self.document, (*self.path, key))

    def elements(self) -> Iterator[Node]:
        """The elements of a list, in order; none for anything else."""
        if isinstance(self.value, list):
            for index, value in enumerate(self.value):
                yield Node(value, self.document, (*self.path, str(index)))


def value_kind(value: Json) -> str:
    """What a value is, in words for a message: `a mapping`, `a list`, `empty`."""
    return _NAMES.get(type(value), "something else")


def format_value(value: Json, limit: int = 60) -> str:
    """A value as a message shows it: a text as it is, others as JSON, on one line of at most
    `limit` characters."""
    text = value if isinstance(value, str) else value_as_json(value)
    text = " ".join(text[: limit * 4].split())
    return text if len(text) <= limit else text[: limit - 1] + "…"


def format_wrong_value(value: Json) -> str:
    """A value in the sentence that it is not what it must be: a text as it is, else its kind."""
    return f"`{format_value(value)}`" if isinstance(value, str) and value else value_kind(value)


def value_as_json(value: Json) -> str:
    """A value as JSON, so that texts stand in quotation marks."""
    return json.dumps(value, ensure_ascii=False, default=str)


_INDEX = re.compile(r"0|[1-9][0-9]{0,8}")


def pointer_tokens(fragment: str) -> Path:
    """The keys a fragment leads through; `fragment` is empty or begins with a slash."""
    if not fragment:
        return ()
    return tuple(
        key.replace("~1", "/").replace("~0", "~") for key in unquote(fragment)[1:].split("/")
    )


def step(value: Json, key: str) -> tuple[bool, Json]:
    """Whether a value has the child `key`, and that child."""
    if isinstance(value, dict):
        return key in value, value.get(key)
    if isinstance(value, list) and _INDEX.fullmatch(key) and int(key) < len(value):
        return True, value[int(key)]
    return False, None
