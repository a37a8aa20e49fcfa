"""`allowEmptyValue`: a parameter that may be sent as its name alone;
https://spec.openapis.org/oas/v3.1.1.html#parameter-object."""

from __future__ import annotations

from mcpgen.diagnostics.codes import parse as codes
from mcpgen.ir.api import Schema
from mcpgen.ir.source import Json
from mcpgen.parse.context import ParseContext
from mcpgen.parse.node import Node, format_value
from mcpgen.parse.scalars import read_flag_key

_DEMANDS = frozenset({"enum", "const", "pattern", "format", "minLength"})
"""Keywords by which a string may refuse to be empty."""


def with_empty_value(scope: ParseContext, node: Node, schema: Schema, name: str) -> Schema:
    """The schema of a parameter, with the empty text among its values if it may be sent empty.

    A value that is no text cannot be empty without becoming a text; there the empty form is left
    out, and told.
    """
    if not read_flag_key(scope, node, "allowEmptyValue"):
        return schema
    json: Json = schema.json
    demands = set(json) & _DEMANDS if isinstance(json, dict) else set()
    if isinstance(json, dict) and json.get("type") == "string":
        if not demands:
            return schema
        if demands == {"enum"}:
            values = json["enum"] if "" in json["enum"] else [*json["enum"], ""]
            return Schema(json | {"enum": values}, schema.at)
    at = node.child("allowEmptyValue")
    scope.tell(codes.EMPTY_VALUE, at, name=format_value(name), operation=scope.operation)
    return schema


def never_empty(scope: ParseContext, node: Node, schema: Schema) -> Schema:
    """The schema of a parameter of Swagger 2.0, which may be an empty text only if
    `allowEmptyValue` gives the ability; https://swagger.io/specification/v2/#parameter-object.

    A default that is empty goes: it is what an API takes for a parameter that is not there."""
    json: Json = schema.json
    is_text = isinstance(json, dict) and json.get("type") == "string"
    if not is_text or read_flag_key(scope, node, "allowEmptyValue"):
        return schema
    has_values = not json.keys().isdisjoint(("enum", "const"))
    if has_values or json.get("format") == "binary" or json.get("minLength"):
        return schema
    kept = {key: value for key, value in json.items() if (key, value) != ("default", "")}
    return Schema(kept | {"minLength": 1}, schema.at)
