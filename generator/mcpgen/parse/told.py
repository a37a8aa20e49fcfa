"""What an extension tells, key by key: known keys, values of the right type, everything else told."""

from __future__ import annotations

import re
from collections.abc import Mapping

from mcpgen.diagnostics.codes import parse as codes
from mcpgen.ir.source import Json
from mcpgen.parse.near import nearest
from mcpgen.parse.node import Node, kind, shown
from mcpgen.parse.scope import Scope

_EXPECTED = {str: "a text", bool: "true or false", dict: "a mapping", list: "a list of texts"}


def listed(
    scope: Scope, node: Node, key: str, form: re.Pattern[str], expected: str
) -> tuple[str, ...] | None:
    """The texts of a list, each once; what has not their form is told. None where there is no
    list."""
    if not isinstance(node.value, list):
        return None
    found: dict[str, None] = {}
    for element in node.elements():
        text = typed(scope, element, key, str)
        if isinstance(text, str) and form.fullmatch(text) is None:
            actual = f"`{shown(text)}`"
            scope.fail(
                codes.MALFORMED_EXTENSION, element, key=key, expected=expected, actual=actual
            )
        elif isinstance(text, str):
            found[text] = None
    return tuple(found)


def members(scope: Scope, node: Node, name: str, keys: Mapping[str, type]) -> dict[str, Json]:
    """The values of a mapping whose keys and types are known; everything else is told."""
    if node.value is None:
        return {}
    if not isinstance(node.value, dict):
        typed(scope, node, name, dict)
        return {}
    found = {}
    for key, member in node.members():
        if key not in keys:
            near = nearest(key, keys) or "one of: " + ", ".join(keys)
            scope.fail(
                codes.UNKNOWN_EXTENSION_KEY, member, key=shown(key), parent=name, nearest=near
            )
        elif member.value is not None:
            found[key] = typed(scope, member, key, keys[key])
    return found


def typed(scope: Scope, node: Node, key: str, expected: type) -> Json:
    """A value of the expected type, or None, told."""
    if isinstance(node.value, expected):
        return node.value
    scope.fail(
        codes.MALFORMED_EXTENSION,
        node,
        key=key,
        expected=_EXPECTED[expected],
        actual=kind(node.value),
    )
    return None
