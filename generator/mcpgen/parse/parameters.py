"""Parses the Parameter Objects of OpenAPI 3.

https://spec.openapis.org/oas/v3.1.1.html#parameter-object
"""

from __future__ import annotations

from dataclasses import replace

from mcpgen.diagnostics.codes import parse as codes
from mcpgen.ir.api import Parameter, Place, Schema, Style
from mcpgen.parse.context import ParseContext
from mcpgen.parse.media import parse_media_types
from mcpgen.parse.node import Node, format_value
from mcpgen.parse.parameter_list import (
    parameter_key,
    parse_parameter_list,
    resolve_parameter,
    with_empty_value,
)
from mcpgen.parse.scalars import read_example_values, read_flag_key, read_text_key

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
    shared = parse_parameter_list(context, path_item, _parameter)
    operation_parameters = parse_parameter_list(context, operation, _parameter)
    return tuple((shared | operation_parameters).values())


def _parameter(context: ParseContext, element: Node) -> Parameter | None:
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
    parameter = context.once(
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
    schema, content, media_examples = _schema(context, node, name, place)
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


def _schema(
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
