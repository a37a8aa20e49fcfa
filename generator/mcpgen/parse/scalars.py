"""Plain values of an object: texts, flags and lists, with what is wrong about them told."""

from __future__ import annotations

from mcpgen.ir.source import Json
from mcpgen.parse.context import ParseContext
from mcpgen.parse.node import Node

_FLAGS = {"true": True, "false": False}
_VALUES = ("value", "dataValue")
"""Where an Example Object holds its value; the second since OpenAPI 3.2."""


def read_text_key(scope: ParseContext, node: Node, key: str) -> str:
    """The text of a key, `""` where there is none; numbers are written out."""
    value = node.get(key)
    if value is None or isinstance(value, str):
        return value or ""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    scope.ignored(node.child(key), key, "a text")
    return ""


def read_flag_key(scope: ParseContext, node: Node, key: str, otherwise: bool = False) -> bool:
    """The yes or no of a key; `otherwise` where it says neither."""
    value = node.get(key)
    if value is None or isinstance(value, bool):
        return otherwise if value is None else value
    scope.ignored(node.child(key), key, "true or false")
    meant = value.lower() if isinstance(value, str) else ""
    return _FLAGS.get(meant, otherwise)


def read_texts_key(scope: ParseContext, node: Node, key: str) -> tuple[str, ...]:
    """The texts in the list of a key, in order; numbers are written out."""
    if node.get(key) is None:
        return ()
    listed = node.child(key)
    if not isinstance(listed.value, list):
        scope.ignored(listed, key, "a list of texts")
        return ()
    found = []
    for element in listed.elements():
        value = element.value
        if isinstance(value, str | int | float) and not isinstance(value, bool):
            found.append(str(value))
        else:
            scope.ignored(element, key, "a text")
    return tuple(found)


def mapping(scope: ParseContext, node: Node, key: str) -> Node | None:
    """The mapping of a key, or None; told where it is something else."""
    if node.get(key) is None:
        return None
    found = node.child(key)
    if isinstance(found.value, dict):
        return found
    scope.ignored(found, key, "a mapping")
    return None


def example_values(scope: ParseContext, node: Node) -> tuple[Json, ...]:
    """The values of `example` and of the Example Objects in `example_values`, in that order."""
    found: list[Json] = [node.get("example")] if node.has("example") else []
    listed = node.get("examples")
    if isinstance(listed, list):
        # As in a schema; the specification has a mapping here, but the values are plain.
        found.extend(listed)
        return tuple(found)
    named = mapping(scope, node, "examples")
    for _, each in named.members() if named is not None else ():
        example = scope.follow(each, needed=False)
        key = next((key for key in _VALUES if example is not None and example.has(key)), None)
        if example is not None and key is not None:
            found.append(example.get(key))
    return tuple(found)
