"""Parses the extensions `x-mcp` and `x-mcp-name` of operations, and `x-mcp` of a document."""

from __future__ import annotations

import re
from collections.abc import Mapping

from mcpgen.diagnostics.codes import parse as codes
from mcpgen.diagnostics.suggestions import closest_match
from mcpgen.ir.api import Announcement, ArgumentExtension, Extension
from mcpgen.ir.source import Json
from mcpgen.parse.context import ParseContext
from mcpgen.parse.node import Node, format_value, value_as_json, value_kind

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
"""Characters of an OAuth scope (RFC 6749 §3.3)."""


def parse_extension(context: ParseContext, operation: Node) -> Extension:
    """Extension of an operation. `x-mcp-name` is short for `x-mcp: {name}`, which takes precedence."""
    if not operation.has("x-mcp") and not operation.has("x-mcp-name"):
        return Extension()
    values = read_members(context, operation.child("x-mcp"), "x-mcp", _KEYS)
    hints = read_members(
        context, operation.child("x-mcp").child("annotations"), "annotations", _ANNOTATIONS
    )
    name = operation.child("x-mcp-name")
    if name.value is not None:
        values.setdefault("name", read_typed(context, name, "x-mcp-name", str))
    return Extension(
        name=values.get("name"),
        title=values.get("title"),
        description=values.get("description"),
        hidden=values.get("hidden") or False,
        read_only=hints.get("readOnlyHint"),
        destructive=hints.get("destructiveHint"),
        idempotent=hints.get("idempotentHint"),
        open_world=hints.get("openWorldHint"),
        scopes=_scopes(context, operation.child("x-mcp").child("scopes")),
        fields=read_text_list(
            context,
            operation.child("x-mcp").child("fields"),
            "fields",
            _FIELD,
            "a path of names with dots between them, such as `owner.name`",
        ),
        arguments=parse_argument_extensions(context, operation.child("x-mcp").child("arguments")),
        resource=_announcement(operation.child("x-mcp"), values.get("resource")),
    )


def parse_prompts(context: ParseContext, root: Node) -> Announcement | None:
    """Prompts announced at the root of a document."""
    node = root.child("x-mcp")
    return _announcement(node, read_members(context, node, "x-mcp", _DOCUMENT_KEYS).get("prompts"))


def _announcement(node: Node, value: Json) -> Announcement | None:
    return Announcement(value, node.at) if isinstance(value, dict) else None


def _scopes(context: ParseContext, node: Node) -> tuple[str, ...] | None:
    """OAuth scopes of an operation, or None."""
    return read_text_list(context, node, "scopes", _SCOPE, "a scope of OAuth 2, without spaces")


_ARGUMENT_KEYS: dict[str, type] = {
    "description": str,
    "fixed": object,
    "default": object,
    "setting": str,
    "hidden": bool,
    "header": str,
}
_VALUED = ("fixed", "default", "setting")
_SETTING = re.compile(r"(?=.{1,40}\Z)[a-z][a-z0-9]*(_[a-z0-9]+)*")


def parse_argument_extensions(context: ParseContext, node: Node) -> dict[str, ArgumentExtension]:
    """Extensions of arguments by argument name: `x-mcp: {arguments: {…}}`."""
    extensions: dict[str, ArgumentExtension] = {}
    for name, member in node.members():
        if read_typed(context, member, f"arguments.{name}", dict) is None:
            continue
        values = read_members(context, member, f"arguments.{format_value(name)}", _ARGUMENT_KEYS)
        value_keys = [key for key in _VALUED if key in values]
        if len(value_keys) > 1:
            _malformed(
                context, member, name, "only one of `fixed`, `default` and `setting`", value_keys
            )
        elif values.get("setting") and not _SETTING.fullmatch(values["setting"]):
            expected = "a lower-case name such as `account_id`"
            _malformed(context, member.child("setting"), name, expected, values["setting"])
        else:
            extensions[name] = ArgumentExtension(
                member.at, **values | {"hidden": bool(values.get("hidden"))}
            )
    return extensions


def _malformed(context: ParseContext, node: Node, name: str, expected: str, actual: object) -> None:
    context.fail(
        codes.MALFORMED_EXTENSION,
        node,
        key=f"arguments.{format_value(name)}",
        expected=expected,
        actual=f"`{format_value(value_as_json(actual))}`",
    )


_EXPECTED = {str: "a text", bool: "true or false", dict: "a mapping", list: "a list of texts"}


def read_text_list(
    context: ParseContext, node: Node, key: str, form: re.Pattern[str], expected: str
) -> tuple[str, ...] | None:
    """Texts of a list, each once, if they match `form`; None if there is no list. Adds
    MALFORMED_EXTENSION."""
    if not isinstance(node.value, list):
        return None
    texts: dict[str, None] = {}
    for element in node.elements():
        text = read_typed(context, element, key, str)
        if isinstance(text, str) and form.fullmatch(text) is None:
            actual = f"`{format_value(text)}`"
            context.fail(
                codes.MALFORMED_EXTENSION, element, key=key, expected=expected, actual=actual
            )
        elif isinstance(text, str):
            texts[text] = None
    return tuple(texts)


def read_members(
    context: ParseContext, node: Node, name: str, keys: Mapping[str, type]
) -> dict[str, Json]:
    """Values by key of a mapping with known keys and types. Adds UNKNOWN_EXTENSION_KEY and
    MALFORMED_EXTENSION."""
    if node.value is None:
        return {}
    if not isinstance(node.value, dict):
        read_typed(context, node, name, dict)
        return {}
    values = {}
    for key, member in node.members():
        if key not in keys:
            near = closest_match(key, keys) or "one of: " + ", ".join(keys)
            context.fail(
                codes.UNKNOWN_EXTENSION_KEY,
                member,
                key=format_value(key),
                parent=name,
                nearest=near,
            )
        elif member.value is not None:
            values[key] = read_typed(context, member, key, keys[key])
    return values


def read_typed(context: ParseContext, node: Node, key: str, expected: type) -> Json:
    """A value of the expected type, or None after MALFORMED_EXTENSION."""
    if isinstance(node.value, expected):
        return node.value
    context.fail(
        codes.MALFORMED_EXTENSION,
        node,
        key=key,
        expected=_EXPECTED[expected],
        actual=value_kind(node.value),
    )
    return None
