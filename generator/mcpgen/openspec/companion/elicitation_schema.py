"""Forms that users are asked to fill in: the flat schemas that MCP allows for them.

https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation#requested-schema
"""

from __future__ import annotations

from mcpgen.diagnostics.codes import openspec as codes
from mcpgen.openspec.companion.reader import CompanionReader
from mcpgen.parse.node import Node

_ROOT = frozenset({"$schema", "type", "properties", "required", "title", "description"})
_SHOWN = frozenset({"type", "title", "description", "default"})
_FIELDS = {
    "string": _SHOWN | {"minLength", "maxLength", "format", "enum", "enumNames", "oneOf"},
    "number": _SHOWN | {"minimum", "maximum"},
    "integer": _SHOWN | {"minimum", "maximum"},
    "boolean": _SHOWN,
    "array": _SHOWN | {"items", "minItems", "maxItems"},
}
"""The keywords of a field, by its type."""


def report_unsupported_form(reader: CompanionReader, form: Node) -> bool:
    """Whether a schema cannot be asked, which is told where it is so."""
    if form.get("type") != "object":
        return _report(reader, form, "a form has `type: object`")
    wrong = [keyword for keyword, _ in form.members() if keyword not in _ROOT]
    if wrong:
        return _report(reader, form.child(wrong[0]), f"a form has no `{wrong[0]}`")
    fields = form.child("properties")
    if not isinstance(fields.value, dict) or not fields.value:
        return _report(reader, fields, "a form has `properties`, its fields by name")
    found = [_unaskable(reader, field) for _, field in fields.members()]
    required = form.get("required")
    if required is not None and not (
        isinstance(required, list) and all(name in fields.value for name in required)
    ):
        found.append(_report(reader, form.child("required"), "`required` lists fields of the form"))
    return any(found)


def _unaskable(reader: CompanionReader, field: Node) -> bool:
    kind = field.get("type")
    if not isinstance(kind, str) or kind not in _FIELDS:
        kinds = ", ".join(f"`{each}`" for each in _FIELDS)
        return _report(reader, field, f"the type of a field is one of {kinds}")
    for keyword, member in field.members():
        if keyword not in _FIELDS[kind]:
            return _report(reader, member, f"a field of the type {kind} has no `{keyword}`")
    if kind == "array" and not {"enum", "anyOf"} & set(field.get("items") or {}):
        return _report(reader, field, "the elements of a list are chosen with `enum` or `anyOf`")
    return False


def _report(reader: CompanionReader, node: Node, reason: str) -> bool:
    reader.tell(codes.UNASKABLE_FORM, node, reason=reason)
    return True
