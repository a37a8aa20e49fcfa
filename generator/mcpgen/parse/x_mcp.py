"""What authors tell mcpgen about an operation, `x-mcp` and `x-mcp-name`, and about the whole."""

from __future__ import annotations

import re

from mcpgen.ir.api import Announcement, Extension
from mcpgen.ir.source import Json
from mcpgen.parse.context import ParseContext
from mcpgen.parse.extension_keys import read_members, read_text_list, read_typed
from mcpgen.parse.node import Node
from mcpgen.parse.x_mcp_arguments import arguments

_KEYS: dict[str, type] = {
    "name": str,
    "title": str,
    "description": str,
    "hidden": bool,
    "annotations": dict,
    "scopes": list,
    "fields": list,
    "arguments": dict,
    "resource": dict,
}
_DOCUMENT_KEYS: dict[str, type] = {"prompts": dict}
_ANNOTATIONS: dict[str, type] = {
    "readOnlyHint": bool,
    "destructiveHint": bool,
    "idempotentHint": bool,
    "openWorldHint": bool,
}
_FIELD = re.compile(r"[^.\s]+(?:\.[^.\s]+)*")
_SCOPE = re.compile(r"[\x21\x23-\x5b\x5d-\x7e]+")
"""https://www.rfc-editor.org/rfc/rfc6749#section-3.3"""


def extension(scope: ParseContext, operation: Node) -> Extension:
    """The extension of an operation; `x-mcp-name` and `x-mcp: {name}` mean the same, and the
    latter wins."""
    if not operation.has("x-mcp") and not operation.has("x-mcp-name"):
        return Extension()
    told = read_members(scope, operation.child("x-mcp"), "x-mcp", _KEYS)
    hints = read_members(
        scope, operation.child("x-mcp").child("annotations"), "annotations", _ANNOTATIONS
    )
    name = operation.child("x-mcp-name")
    if name.value is not None:
        told.setdefault("name", read_typed(scope, name, "x-mcp-name", str))
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
        fields=read_text_list(
            scope,
            operation.child("x-mcp").child("fields"),
            "fields",
            _FIELD,
            "a path of names with dots between them, such as `owner.name`",
        ),
        arguments=arguments(scope, operation.child("x-mcp").child("arguments")),
        resource=_announcement(operation.child("x-mcp"), told.get("resource")),
    )


def announced_prompts(scope: ParseContext, root: Node) -> Announcement | None:
    """The prompts that a document announces at its root."""
    node = root.child("x-mcp")
    return _announcement(node, read_members(scope, node, "x-mcp", _DOCUMENT_KEYS).get("prompts"))


def _announcement(node: Node, told: Json) -> Announcement | None:
    return Announcement(told, node.at) if isinstance(told, dict) else None


def _scopes(scope: ParseContext, node: Node) -> tuple[str, ...] | None:
    """The scopes a caller should hold."""
    return read_text_list(scope, node, "scopes", _SCOPE, "a scope of OAuth 2, without spaces")
