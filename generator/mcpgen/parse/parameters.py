"""Parses lists of parameters in any dialect, and the Parameter Objects of OpenAPI 3.

https://spec.openapis.org/oas/v3.1.1.html#parameter-object
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import replace
from typing import Protocol, TypeVar

from mcpgen.diagnostics import Severity
from mcpgen.diagnostics.codes import parse as codes
from mcpgen.ir.api import Parameter, Place, Schema, Style
from mcpgen.ir.source import Json
from mcpgen.parse.context import ParseContext
from mcpgen.parse.media import parse_media_types
from mcpgen.parse.node import Node, format_value
from mcpgen.parse.scalars import read_example_values, read_flag_key, read_text_key

_ILLEGAL = re.compile(r"[^A-Za-z0-9!#$%&'*+.^_`|~-]")
"""A character that header names must not have (RFC 9110 §5.1)."""


class Placed(Protocol):
    """A parameter of any dialect, identified by name and place."""

    @property
    def name(self) -> str:
        """The name, as the document spells it."""

    @property
    def place(self) -> str:
        """The place in the request: `path`, `query`, `header` or `cookie`, in Swagger 2.0 also
        `body` or `formData`."""


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
    """Name and place of a parameter; None after SWAGGER_PLACE or NAMELESS_PARAMETER."""
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


PLACES = {"path": Place.PATH, "query": Place.QUERY, "header": Place.HEADER, "cookie": Place.COOKIE}

STYLES: dict[Place, tuple[Style, ...]] = {
    Place.PATH: (Style.SIMPLE, Style.LABEL, Style.MATRIX),
    Place.QUERY: (Style.FORM, Style.SPACE, Style.PIPE, Style.DEEP_OBJECT),
    Place.HEADER: (Style.SIMPLE,),
    Place.COOKIE: (Style.FORM,),
}
"""Styles allowed in each place; the first style is the default."""

_EXPLODED = frozenset({Style.FORM, Style.COOKIE, Style.DEEP_OBJECT})
"""Styles with `explode: true` as default; `deepObject` has no other form."""
_RESERVED_HEADERS = frozenset({"accept", "content-type"})
_OUTSIDE_SCHEMA = ("type", "format", "enum", "items", "default", "minimum", "maximum", "pattern")
"""Schema keywords of a Swagger 2.0 parameter, found in many OpenAPI 3 documents."""


def parse_parameters(
    context: ParseContext, operation: Node, path_item: Node
) -> tuple[Parameter, ...]:
    """Parameters of the path item without an equivalent in the operation, then those of the
    operation; each by name and place."""
    shared = parse_parameter_list(context, path_item, _parse_parameter)
    operation_parameters = parse_parameter_list(context, operation, _parse_parameter)
    return tuple((shared | operation_parameters).values())


def _parse_parameter(context: ParseContext, element: Node) -> Parameter | None:
    """A parameter; None after a finding, or for a header that the specification ignores."""
    node = resolve_parameter(context, element)
    if node is None:
        return None
    if node.get("in") == "querystring" and context.rules.query_strings:
        return parse_query_string(context, node, element)
    identity = parameter_key(context, node, PLACES)
    if identity is None:
        return None
    name, place = identity[0], PLACES[identity[1]]
    if place is Place.HEADER and name.lower() in _RESERVED_HEADERS:
        operation = context.operation
        context.report(codes.RESERVED_HEADER, element, name=name, operation=operation)
        return None
    parameter = context.parse_once(
        "parameter", node, lambda: _parse_described(context, node, name, place)
    )
    if place is Place.PATH and not read_flag_key(context, node, "required"):
        context.report(
            codes.OPTIONAL_PATH_PARAMETER,
            element,
            name=format_value(name),
            operation=context.operation,
        )
    return parameter if node is element else replace(parameter, at=element.at)


def _parse_described(context: ParseContext, node: Node, name: str, place: Place) -> Parameter:
    schema, content, media_examples = _parameter_schema(context, node, name, place)
    if place is Place.QUERY:
        schema = with_empty_value(context, node, schema, name)
    style = _style(context, node, place)
    explode = style is Style.DEEP_OBJECT or read_flag_key(
        context, node, "explode", style in _EXPLODED
    )
    return Parameter(
        name=name,
        place=place,
        schema=schema,
        required=place is Place.PATH or read_flag_key(context, node, "required"),
        at=node.at,
        description=read_text_key(context, node, "description"),
        deprecated=read_flag_key(context, node, "deprecated"),
        style=style,
        explode=explode,
        allow_reserved=read_flag_key(context, node, "allowReserved"),
        content=content,
        examples=(*read_example_values(context, node), *media_examples),
        announced=read_text_key(context, node, "x-mcp-name"),
    )


def _parameter_schema(
    context: ParseContext, node: Node, name: str, place: Place
) -> tuple[Schema, str, tuple[object, ...]]:
    """Schema, media type or `""`, and the examples of the media type."""
    media = parse_media_types(context, node)
    reason = ""
    if node.has("schema"):
        if media:
            reason = "has both `schema` and `content`; the schema counts"
        schema = context.schema(node.child("schema"))
        media = ()
    elif media:
        schema = media[0].schema or Schema({}, media[0].at)
        if len(media) > 1:
            reason = f"has several media types; `{media[0].name}` is used"
    elif any(node.has(keyword) for keyword in _OUTSIDE_SCHEMA):
        reason = "has its schema's keywords beside its name; they are read as its schema"
        keywords = {key: node.get(key) for key in _OUTSIDE_SCHEMA if node.has(key)}
        schema = context.schema(Node(keywords, node.document, node.path))
    else:
        reason = "has no schema; it is read as a string"
        schema = Schema({"type": "string"}, node.at)
    if reason:
        context.report(
            codes.PARAMETER_WITHOUT_SCHEMA,
            node,
            place=place,
            name=format_value(name),
            operation=context.operation,
            reason=reason,
        )
    return schema, media[0].name if media else "", media[0].examples if media else ()


def _style(context: ParseContext, node: Node, place: Place) -> Style:
    """Style of a parameter, or the default of its place."""
    allowed = STYLES[place]
    if place is Place.COOKIE and context.rules.cookie_style:
        allowed = (*allowed, Style.COOKIE)
    style = node.get("style")
    if style is None:
        return allowed[0]
    if style in tuple(allowed):
        return Style(style)
    context.report(
        codes.UNKNOWN_STYLE,
        node.child("style"),
        style=format_value(style),
        place=place,
        used=allowed[0],
        allowed=", ".join(allowed),
    )
    return allowed[0]


_FORM = "application/x-www-form-urlencoded"


def parse_query_string(context: ParseContext, node: Node, element: Node) -> Parameter | None:
    """A parameter `in: querystring` (OpenAPI 3.2): an exploded object for a form, otherwise a value
    without name.

    None after an error if there is no media type.
    https://spec.openapis.org/oas/v3.2.0.html#parameter-object
    """
    media = parse_media_types(context, node)
    if not media:
        context.fail_malformed(node.child("content"), "`content` of a querystring", "a media type")
        return None
    is_form = media[0].name.partition(";")[0].strip().lower() == _FORM
    return Parameter(
        name=read_text_key(context, node, "name") or "query",
        place=Place.QUERY,
        schema=media[0].schema or Schema({"type": "object"} if is_form else True, media[0].at),
        style=Style.FORM if is_form else Style.WHOLE,
        content="" if is_form else media[0].name,
        required=read_flag_key(context, node, "required"),
        at=element.at,
        description=read_text_key(context, node, "description"),
        deprecated=read_flag_key(context, node, "deprecated"),
        examples=(*read_example_values(context, node), *media[0].examples),
        announced=read_text_key(context, node, "x-mcp-name"),
    )
