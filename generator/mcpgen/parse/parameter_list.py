"""Parses lists of parameters in any dialect: identity by name and place, and `allowEmptyValue`."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from typing import Protocol, TypeVar

from mcpgen.diagnostics import Severity
from mcpgen.diagnostics.codes import parse as codes
from mcpgen.ir.api import Place, Schema
from mcpgen.ir.source import Json
from mcpgen.parse.context import ParseContext
from mcpgen.parse.node import Node, format_value
from mcpgen.parse.scalars import read_flag_key, read_text_key

_ILLEGAL = re.compile(r"[^A-Za-z0-9!#$%&'*+.^_`|~-]")
"""A character that header names must not have (RFC 9110 §5.1)."""


class Placed(Protocol):
    """A parameter of any dialect, identified by name and place."""

    @property
    def name(self) -> str:
        """The name."""

    @property
    def place(self) -> str:
        """Where in the request it travels."""


_SWAGGER_PLACES = ("body", "formData")
"""Places that OpenAPI 3 replaced by `requestBody`."""

P = TypeVar("P", bound=Placed)


def parse_parameter_list(
    context: ParseContext, holder: Node, parse: Callable[[ParseContext, Node], P | None]
) -> dict[tuple[str, str], P]:
    """Parameters of one list by name and place; `parse` parses an element. Header names are in
    lower case. Adds DUPLICATE_PARAMETER."""
    node = holder.child("parameters")
    parameters: dict[tuple[str, str], P] = {}
    if node.value is not None and not isinstance(node.value, list):
        context.fail_malformed(node, "`parameters`", "a list")
    for element in node.elements():
        parameter = parse(context, element)
        if parameter is None:
            continue
        name = parameter.name.lower() if parameter.place == Place.HEADER else parameter.name
        if (name, parameter.place) in parameters:
            context.report(
                codes.DUPLICATE_PARAMETER,
                element,
                place=parameter.place,
                name=format_value(parameter.name),
                operation=context.operation,
            )
        else:
            parameters[name, parameter.place] = parameter
    return parameters


def resolve_parameter(context: ParseContext, element: Node) -> Node | None:
    """Mapping of a parameter, with references followed; None after an error."""
    node = context.follow(element)
    if node is None or isinstance(node.value, dict):
        return node
    context.fail_malformed(node, "a parameter", "a mapping")
    return None


def _report_illegal_header(context: ParseContext, node: Node, name: str, character: str) -> None:
    """Reports an illegal header name: an error for a required header, otherwise a warning."""
    facts = {
        "name": format_value(name),
        "character": "spaces" if character == " " else f"`{character}`",
    }
    if read_flag_key(context, node, "required"):
        outcome = "no operation that requires the parameter becomes a tool"
        context.fail(codes.ILLEGAL_HEADER_NAME, node.child("name"), outcome=outcome, **facts)
    else:
        outcome = "the parameter is left out"
        name_node, severity = node.child("name"), Severity.WARNING
        context.report(
            codes.ILLEGAL_HEADER_NAME, name_node, severity=severity, outcome=outcome, **facts
        )


def parameter_key(
    context: ParseContext, node: Node, places: Collection[str]
) -> tuple[str, str] | None:
    """Name and place of a parameter; None after a finding."""
    name, place = read_text_key(context, node, "name"), str(node.get("in"))
    if place in _SWAGGER_PLACES and place not in places:
        context.fail(
            codes.SWAGGER_PLACE, node.child("in"), place=place, operation=context.operation
        )
    elif place not in places:
        expected = "one of: " + ", ".join(places)
        context.fail_malformed(node.child("in"), "`in` of a parameter", expected)
    elif place == Place.HEADER and name.strip() and (illegal := _ILLEGAL.search(name)):
        _report_illegal_header(context, node, name, illegal[0])
    elif name.strip():
        return name, place
    elif not node.has("name") or node.get("required") is True or place == Place.PATH:
        blank = isinstance(node.get("name"), str)
        name_node = Node(None, node.document, (*node.path, "name")) if blank else node.child("name")
        context.fail_malformed(name_node, "`name` of a parameter", "a text")
    else:
        operation = context.operation
        context.report(codes.NAMELESS_PARAMETER, node, place=place, operation=operation)
    return None


_DEMANDS = frozenset({"enum", "const", "pattern", "format", "minLength"})
"""Keywords by which a string may forbid the empty text."""


def with_empty_value(context: ParseContext, node: Node, schema: Schema, name: str) -> Schema:
    """The schema with the empty text allowed, if `allowEmptyValue` is true.

    An empty value of another type than string would have to be a text: left out with EMPTY_VALUE.
    https://spec.openapis.org/oas/v3.1.1.html#parameter-object
    """
    if not read_flag_key(context, node, "allowEmptyValue"):
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
    context.report(codes.EMPTY_VALUE, at, name=format_value(name), operation=context.operation)
    return schema


def with_min_length(context: ParseContext, node: Node, schema: Schema) -> Schema:
    """The schema of a Swagger 2.0 parameter with `minLength: 1`, unless `allowEmptyValue` is true.

    An empty default is dropped: the API takes an absent parameter as empty.
    https://swagger.io/specification/v2/#parameter-object
    """
    json: Json = schema.json
    is_text = isinstance(json, dict) and json.get("type") == "string"
    if not is_text or read_flag_key(context, node, "allowEmptyValue"):
        return schema
    has_values = not json.keys().isdisjoint(("enum", "const"))
    if has_values or json.get("format") == "binary" or json.get("minLength"):
        return schema
    keywords = {key: value for key, value in json.items() if (key, value) != ("default", "")}
    return Schema(keywords | {"minLength": 1}, schema.at)
