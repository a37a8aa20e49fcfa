"""What authors tell mcpgen about an operation: `x-mcp` and `x-mcp-name`."""

from __future__ import annotations

import re

from mcpgen.diagnostics.codes import parse as codes
from mcpgen.ir.api import Extension
from mcpgen.ir.source import Json
from mcpgen.parse.near import nearest
from mcpgen.parse.node import Node, kind, shown
from mcpgen.parse.scope import Scope

_KEYS: dict[str, type] = {
    "name": str,
    "title": str,
    "description": str,
    "hidden": bool,
    "annotations": dict,
    "scopes": list,
    "fields": list,
}
_ANNOTATIONS: dict[str, type] = {
    "readOnlyHint": bool,
    "destructiveHint": bool,
    "idempotentHint": bool,
    "openWorldHint": bool,
}
_EXPECTED = {str: "a text", bool: "true or false", dict: "a mapping", list: "a list of texts"}
_FIELD = re.compile(r"[^.\s]+(?:\.[^.\s]+)*")
_SCOPE = re.compile(r"[\x21\x23-\x5b\x5d-\x7e]+")
"""https://www.rfc-editor.org/rfc/rfc6749#section-3.3"""


def extension(scope: Scope, operation: Node) -> Extension:
    """The extension of an operation; `x-mcp-name` and `x-mcp: {name}` mean the same, and the
    latter wins."""
    told = _members(scope, operation.child("x-mcp"), "x-mcp", _KEYS)
    hints = _members(
        scope, operation.child("x-mcp").child("annotations"), "annotations", _ANNOTATIONS
    )
    name = operation.child("x-mcp-name")
    if name.value is not None:
        told.setdefault("name", _typed(scope, name, "x-mcp-name", str))
    return Extension(
        name=told.get("name"),
        title=told.get("title"),
        description=told.get("description"),
        hidden=told.get("hidden") or False,
        read_only=hints.get("readOnlyHint"),
        destructive=hints.get("destructiveHint"),
        idempotent=hints.get("idempotentHint"),
        open_world=hints.get("openWorldHint"),
        scopes=_scopes(scope, operation.child("x-mcp").child("scopes")),
        fields=_listed(
            scope,
            operation.child("x-mcp").child("fields"),
            "fields",
            _FIELD,
            "a path of names with dots between them, such as `owner.name`",
        ),
    )


def _scopes(scope: Scope, node: Node) -> tuple[str, ...] | None:
    """The scopes a caller should hold."""
    return _listed(scope, node, "scopes", _SCOPE, "a scope of OAuth 2, without spaces")


def _listed(
    scope: Scope, node: Node, key: str, form: re.Pattern[str], expected: str
) -> tuple[str, ...] | None:
    """The texts of a list, each once; what has not their form is told. None where there is no
    list."""
    if not isinstance(node.value, list):
        return None
    found: dict[str, None] = {}
    for element in node.elements():
        text = _typed(scope, element, key, str)
        if isinstance(text, str) and form.fullmatch(text) is None:
            actual = f"`{shown(text)}`"
            scope.fail(
                codes.MALFORMED_EXTENSION, element, key=key, expected=expected, actual=actual
            )
        elif isinstance(text, str):
            found[text] = None
    return tuple(found)


def _members(scope: Scope, node: Node, name: str, keys: dict[str, type]) -> dict[str, Json]:
    """The values of a mapping whose keys and types are known; everything else is told."""
    if node.value is None:
        return {}
    if not isinstance(node.value, dict):
        _typed(scope, node, name, dict)
        return {}
    found = {}
    for key, member in node.members():
        if key not in keys:
            near = nearest(key, keys) or "one of: " + ", ".join(keys)
            scope.fail(
                codes.UNKNOWN_EXTENSION_KEY, member, key=shown(key), parent=name, nearest=near
            )
        elif member.value is not None:
            found[key] = _typed(scope, member, key, keys[key])
    return found


def _typed(scope: Scope, node: Node, key: str, expected: type) -> Json:
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
