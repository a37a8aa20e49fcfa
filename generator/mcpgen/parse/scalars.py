"""Reads texts, flags, lists and mappings by key, with a finding for a wrong shape."""

from __future__ import annotations

from mcpgen.ir.source import Json
from mcpgen.parse.context import ParseContext
from mcpgen.parse.node import Node

_FLAGS = {"true": True, "false": False}
_VALUES = ("value", "dataValue")
"""Fields for the value of an Example Object; `dataValue` since OpenAPI 3.2."""


def read_text_key(context: ParseContext, node: Node, key: str) -> str:
    """Text of a key, `""` if absent; a number is converted. Adds IGNORED_VALUE."""
    value = node.get(key)
    if value is None or isinstance(value, str):
        return value or ""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    context.report_ignored(node.child(key), key, "a text")
    return ""


def read_flag_key(context: ParseContext, node: Node, key: str, otherwise: bool = False) -> bool:
    """Boolean of a key; `otherwise` if absent or malformed. Adds IGNORED_VALUE."""
    value = node.get(key)
    if value is None or isinstance(value, bool):
        return otherwise if value is None else value
    word = value.lower() if isinstance(value, str) else ""
    if word in _FLAGS:
        expected, outcome = "true or false without quotes", f"it is read as {word}"
        context.report_ignored(node.child(key), key, expected, outcome=outcome)
        return _FLAGS[word]
    context.report_ignored(node.child(key), key, "true or false")
    return otherwise


def read_texts_key(context: ParseContext, node: Node, key: str) -> tuple[str, ...]:
    """Texts in a list of a key, in order; numbers are converted. Adds IGNORED_VALUE."""
    if node.get(key) is None:
        return ()
    list_node = node.child(key)
    if not isinstance(list_node.value, list):
        context.report_ignored(list_node, key, "a list of texts")
        return ()
    texts = []
    for element in list_node.elements():
        value = element.value
        if isinstance(value, str | int | float) and not isinstance(value, bool):
            texts.append(str(value))
        else:
            context.report_ignored(element, key, "a text", what=f"an item of `{key}`")
    return tuple(texts)


def read_mapping_key(context: ParseContext, node: Node, key: str) -> Node | None:
    """Node of a mapping at a key, or None. Adds IGNORED_VALUE."""
    if node.get(key) is None:
        return None
    child = node.child(key)
    if isinstance(child.value, dict):
        return child
    context.report_ignored(child, key, "a mapping")
    return None


def read_example_values(context: ParseContext, node: Node) -> tuple[Json, ...]:
    """Values of `example`, then of the Example Objects in `examples`."""
    values: list[Json] = [node.get("example")] if node.has("example") else []
    plain_examples = node.get("examples")
    if isinstance(plain_examples, list):
        # As in a schema; the specification has a mapping here, but the values are plain.
        values.extend(plain_examples)
        return tuple(values)
    examples = read_mapping_key(context, node, "examples")
    for _, member in examples.members() if examples is not None else ():
        example = context.follow(member, is_required=False)
        key = next((key for key in _VALUES if example is not None and example.has(key)), None)
        if example is not None and key is not None:
            values.append(example.get(key))
    return tuple(values)
