"""Parses the extensions `x-mcp` and `x-mcp-name` of operations, and `x-mcp` of a document; and
their JSON Schema."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from mcpgen.config.key_spec import JsonSchema
from mcpgen.config.schema import DIALECT
from mcpgen.config.tables.prompts import prompts_schema
from mcpgen.config.tables.resources import RESOURCE_OF_OPERATION
from mcpgen.config.validators import ValueRule
from mcpgen.diagnostics.codes import parse as codes
from mcpgen.diagnostics.suggestions import closest_match
from mcpgen.ir.api import Announcement, ArgumentExtension, Extension
from mcpgen.ir.source import Json
from mcpgen.parse.context import ParseContext
from mcpgen.parse.node import Node, format_value, value_as_json, value_kind

_FIELD = ValueRule(pattern=r"[^.\s]+(?:\.[^.\s]+)*")
_SCOPE = ValueRule(pattern=r"[\x21\x23-\x5b\x5d-\x7e]+")
"""Characters of an OAuth scope (RFC 6749 §3.3)."""
_SETTING = ValueRule(pattern=r"[a-z][a-z0-9]*(_[a-z0-9]+)*", max_length=40)
"""The name of a setting; at most 40 characters, as in `mcpgen.toml` (`validators.is_setting`)."""
_TYPES = {str: "string", bool: "boolean", dict: "object", list: "array"}
_VALUE_SOURCES = ("fixed", "default", "setting")
"""Keys that give an argument its value; at most one may be set."""


@dataclass(frozen=True, slots=True)
class ExtensionKey:
    """A key of an extension.

    `kind`: type of the value, `object` for any value. `meaning`: description for editors. `rule`: rule
    of a text, or of every text of a list. `members`: keys of a mapping. `schema_override`: schema in
    place of the one from `kind`, `rule` and `members`, for a mapping with a reader of its own.
    """

    kind: type
    meaning: str
    rule: ValueRule | None = None
    members: Mapping[str, ExtensionKey] | None = None
    schema_override: JsonSchema | None = None

    @property
    def schema(self) -> JsonSchema:
        """The schema of a value."""
        rule = self.rule.keywords if self.rule else {}
        schema: JsonSchema = {"type": _TYPES[self.kind], **rule} if self.kind is not object else {}
        if self.kind is list:
            schema = {"type": "array", "items": {"type": "string", **rule}}
        if self.members is not None:
            schema = _mapping_schema(self.members)
        return {"description": self.meaning, **(self.schema_override or schema)}


def _mapping_schema(keys: Mapping[str, ExtensionKey]) -> JsonSchema:
    members = {name: key.schema for name, key in keys.items()}
    return {"type": "object", "properties": members, "additionalProperties": False}


def _or_null(schema: JsonSchema) -> JsonSchema:
    """The schema with null as a further value, also of every member that need not be present: null
    counts as an absent key. Items of lists cannot be absent, so null is no item."""
    nullable = _with_null_members(schema)
    if isinstance(nullable.get("type"), str):
        nullable["type"] = [nullable["type"], "null"]
    if "enum" in nullable:
        nullable["enum"] = [*nullable["enum"], None]
    return nullable


def _with_null_members(schema: JsonSchema) -> JsonSchema:
    nullable = dict(schema)
    if "properties" in schema:
        required = schema.get("required", ())
        nullable["properties"] = {
            key: _with_null_members(member) if key in required else _or_null(member)
            for key, member in schema["properties"].items()
        }
    if isinstance(schema.get("additionalProperties"), dict):
        nullable["additionalProperties"] = _or_null(schema["additionalProperties"])
    if "items" in schema:
        nullable["items"] = _with_null_members(schema["items"])
    return nullable


_ANNOTATIONS = {
    "readOnlyHint": ExtensionKey(bool, "The tool changes nothing."),
    "destructiveHint": ExtensionKey(bool, "The tool may change or remove existing data."),
    "idempotentHint": ExtensionKey(bool, "A repetition of the same call changes nothing more."),
    "openWorldHint": ExtensionKey(bool, "The tool reaches systems outside of the server."),
}
_ARGUMENT_KEYS = {
    "description": ExtensionKey(str, "Text for models; the constraints of the schema are added."),
    "fixed": ExtensionKey(object, "A value in every request; the argument is not announced."),
    "default": ExtensionKey(object, "A value for calls without the argument."),
    "setting": ExtensionKey(str, "The server's setting with the value.", _SETTING),
    "hidden": ExtensionKey(bool, "Whether the argument is left out of the tool."),
    "header": ExtensionKey(str, "The header that repeats the value; never for secrets."),
}
_KEYS = {
    "name": ExtensionKey(str, "The tool's name."),
    "title": ExtensionKey(str, "The title that people see."),
    "description": ExtensionKey(str, "The description for models, taken whole."),
    "hidden": ExtensionKey(bool, "Whether the operation becomes no tool."),
    "annotations": ExtensionKey(dict, "Hints about the effects of a call.", members=_ANNOTATIONS),
    "scopes": ExtensionKey(list, "OAuth scopes that callers need.", _SCOPE),
    "fields": ExtensionKey(list, "Fields of results that are shown, as dotted paths.", _FIELD),
    "arguments": ExtensionKey(
        dict,
        "Changes of arguments, by announced name.",
        schema_override={"type": "object", "additionalProperties": _mapping_schema(_ARGUMENT_KEYS)},
    ),
    "resource": ExtensionKey(
        dict, "Announces the operation as a resource.", schema_override=RESOURCE_OF_OPERATION
    ),
}
_DOCUMENT_KEYS = {
    "prompts": ExtensionKey(
        dict, "Prompts by name.", schema_override=prompts_schema(has_folder=False)
    )
}


def extension_schema() -> JsonSchema:
    """The JSON Schema of an OpenAPI document as far as mcpgen's extensions go: `x-mcp` at the root
    and on operations, `x-mcp-name` on operations. `$defs` has the schemas of both."""
    name = {"description": "Short for `x-mcp: {name}`.", "type": ["string", "null"]}
    operation = {"properties": {"x-mcp": {"$ref": "#/$defs/operation"}, "x-mcp-name": name}}
    methods = "^(get|put|post|delete|options|head|patch|trace|query)$"
    path_item = {
        "properties": {"additionalOperations": {"additionalProperties": operation}},
        "patternProperties": {methods: operation},
    }
    return {
        "$schema": DIALECT,
        "$comment": "Generated by mcpgen.",
        "title": "x-mcp",
        "description": "The extensions of operations and of the document that mcpgen reads.",
        "properties": {
            "x-mcp": {"$ref": "#/$defs/document"},
            "paths": {"additionalProperties": path_item},
        },
        "$defs": {
            "operation": _or_null(_mapping_schema(_KEYS)),
            "document": _or_null(_mapping_schema(_DOCUMENT_KEYS)),
        },
    }


def parse_extension(context: ParseContext, operation: Node) -> Extension:
    """Extension of an operation. `x-mcp-name: N` is short for `x-mcp: {name: N}`; if both are given,
    `x-mcp` wins."""
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
        scopes=_read_scopes(context, operation.child("x-mcp").child("scopes")),
        fields=read_text_list(
            context,
            operation.child("x-mcp").child("fields"),
            "fields",
            _FIELD,
            "a path of names with dots between them, such as `owner.name`",
        ),
        arguments=parse_argument_extensions(context, operation.child("x-mcp").child("arguments")),
        resource=_read_announcement(operation.child("x-mcp"), values.get("resource")),
    )


def parse_prompts(context: ParseContext, root: Node) -> Announcement | None:
    """Prompts announced at the root of a document under `x-mcp`; None without a mapping of
    prompts."""
    node = root.child("x-mcp")
    return _read_announcement(
        node, read_members(context, node, "x-mcp", _DOCUMENT_KEYS).get("prompts")
    )


def _read_announcement(node: Node, value: Json) -> Announcement | None:
    return Announcement(value, node.at) if isinstance(value, dict) else None


def _read_scopes(context: ParseContext, node: Node) -> tuple[str, ...] | None:
    """OAuth scopes of an operation, or None."""
    return read_text_list(context, node, "scopes", _SCOPE, "a scope of OAuth 2, without spaces")


def parse_argument_extensions(context: ParseContext, node: Node) -> dict[str, ArgumentExtension]:
    """Extensions of arguments by argument name: `x-mcp: {arguments: {…}}`."""
    extensions: dict[str, ArgumentExtension] = {}
    for name, member in node.members():
        key = f"arguments.{format_value(name)}"
        if member.value is None or read_typed(context, member, key, dict) is None:
            continue
        values = read_members(context, member, key, _ARGUMENT_KEYS)
        value_keys = [key for key in _VALUE_SOURCES if key in values]
        if len(value_keys) > 1:
            _fail_argument(
                context, member, name, "only one of `fixed`, `default` and `setting`", value_keys
            )
        elif values.get("setting") is not None and not _SETTING(values["setting"]):
            expected = "a lower-case name of at most 40 characters, such as `account_id`"
            _fail_argument(context, member.child("setting"), name, expected, values["setting"])
        else:
            extensions[name] = ArgumentExtension(
                member.at, **values | {"hidden": bool(values.get("hidden"))}
            )
    return extensions


def _fail_argument(
    context: ParseContext, node: Node, name: str, expected: str, actual: object
) -> None:
    context.fail(
        codes.MALFORMED_EXTENSION,
        node,
        key=f"arguments.{format_value(name)}",
        expected=expected,
        actual=f"`{format_value(value_as_json(actual))}`",
    )


_EXPECTED = {str: "a text", bool: "true or false", dict: "a mapping", list: "a list of texts"}


def read_text_list(
    context: ParseContext, node: Node, key: str, rule: ValueRule, expected: str
) -> tuple[str, ...] | None:
    """Texts of a list, each once, if they match `rule`; None if there is no list. Adds
    MALFORMED_EXTENSION."""
    if not isinstance(node.value, list):
        return None
    texts: dict[str, None] = {}
    for element in node.elements():
        text = read_typed(context, element, key, str)
        if isinstance(text, str) and not rule(text):
            actual = f"`{format_value(text)}`"
            context.fail(
                codes.MALFORMED_EXTENSION, element, key=key, expected=expected, actual=actual
            )
        elif isinstance(text, str):
            texts[text] = None
    return tuple(texts)


def read_members(
    context: ParseContext, node: Node, name: str, keys: Mapping[str, ExtensionKey]
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
            values[key] = read_typed(context, member, key, keys[key].kind)
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
