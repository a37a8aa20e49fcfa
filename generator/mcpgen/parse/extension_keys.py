"""What an extension tells, key by key: known keys, values of the right type, everything else told."""

from __future__ import annotations

import re
from collections.abc import Mapping

from mcpgen.diagnostics.codes import parse as codes
from mcpgen.ir.source import Json
from mcpgen.parse.context import ParseContext
from mcpgen.parse.node import Node, format_value, value_kind
from mcpgen.parse.suggestions import closest_word

_EXPECTED = {str: "a text", bool: "true or false", dict: "a mapping", list: "a list of texts"}


def read_text_list(
    scope: ParseContext, node: Node, key: str, form: re.Pattern[str], expected: str
) -> tuple[str, ...] | None:
    """The texts of a list, each once; what has not their form is told. None where there is no
    list."""
    if not isinstance(node.value, list):
        return None
    found: dict[str, None] = {}
    for element in node.elements():
        text = read_typed(scope, element, key, str)
        if isinstance(text, str) and form.fullmatch(text) is None:
            actual = f"`{format_value(text)}`"
            scope.fail(
                codes.MALFORMED_EXTENSION, element, key=key, expected=expected, actual=actual
            )
        elif isinstance(text, str):
            found[text] = None
    return tuple(found)


def read_members(
    scope: ParseContext, node: Node, name: str, keys: Mapping[str, type]
) -> dict[str, Json]:
    """The values of a mapping whose keys and types are known; everything else is told."""
    if node.value is None:
        return {}
    if not isinstance(node.value, dict):
        read_typed(scope, node, name, dict)
        return {}
    found = {}
    for key, member in node.members():
        if key not in keys:
            near = closest_word(key, keys) or "one of: " + ", ".join(keys)
            scope.fail(
                codes.UNKNOWN_EXTENSION_KEY,
                member,
                key=format_value(key),
                parent=name,
                nearest=near,
            )
        elif member.value is not None:
            found[key] = read_typed(scope, member, key, keys[key])
    return found


def read_typed(scope: ParseContext, node: Node, key: str, expected: type) -> Json:
    """A value of the expected type, or None, told."""
    if isinstance(node.value, expected):
        return node.value
    scope.fail(
        codes.MALFORMED_EXTENSION,
        node,
        key=key,
        expected=_EXPECTED[expected],
        actual=value_kind(node.value),
    )
    return None
