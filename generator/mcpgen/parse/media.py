"""Parses Media Type Objects and Encoding Objects.

https://spec.openapis.org/oas/v3.1.1.html#media-type-object
"""

from __future__ import annotations

import re
from dataclasses import replace

from mcpgen.diagnostics.codes import parse as codes
from mcpgen.ir.api import MediaType, Parameter, Place, PropertyEncoding, Schema, Style
from mcpgen.parse.context import ParseContext
from mcpgen.parse.node import Node, format_value
from mcpgen.parse.scalars import read_example_values, read_flag_key, read_mapping_key, read_text_key

_TOKEN = r"[A-Za-z0-9!#$%&'*+.^_`|~-]+"
_MEDIA_TYPE = re.compile(
    rf"{_TOKEN}/{_TOKEN}(?:[ \t]*;[ \t]*{_TOKEN}=(?:{_TOKEN}|\"[^\"\\\x00-\x1f\x7f]*\"))*"
)
_URLENCODED = "application/x-www-form-urlencoded"
_FORM_DATA = "multipart/form-data"
_INSIDE = ("encoding", "prefixEncoding", "itemEncoding")
"""Keywords for the inside of a part, which mcpgen does not read."""
_STYLES = {style.value: style for style in Style if style is not Style.TAB}


def is_media_type(name: str) -> bool:
    """True for a media type with or without parameters (RFC 9110 §8.3.1).

    Example: `is_media_type("text/html; charset=utf-8")` gives `True`.
    """
    return _MEDIA_TYPE.fullmatch(name) is not None and name.isascii()


def parse_media_types(context: ParseContext, node: Node) -> tuple[MediaType, ...]:
    """Media types under `content`, in document order. Adds IGNORED_MEDIA_TYPE."""
    content = read_mapping_key(context, node, "content")
    media = []
    for name, member in content.members() if content is not None else ():
        if name.startswith("x-"):
            continue
        if not is_media_type(name):
            context.report(codes.IGNORED_MEDIA_TYPE, member, name=format_value(name))
            continue
        media.append(_parse_media_type(context, name, member))
    return tuple(media)


def _parse_media_type(context: ParseContext, name: str, node: Node) -> MediaType:
    media_node = context.follow(node)
    if media_node is None or media_node.value is None:
        return MediaType(name, None, node.at)
    if not isinstance(media_node.value, dict):
        context.report_ignored(media_node, name, "a mapping")
        return MediaType(name, None, node.at)
    schema = context.schema(media_node.child("schema")) if media_node.has("schema") else None
    item_schema = (
        context.schema(media_node.child("itemSchema")) if media_node.has("itemSchema") else None
    )
    if schema is None and item_schema is not None:
        schema = Schema({"type": "array", "items": item_schema.json}, item_schema.at)
    encoding = read_mapping_key(context, media_node, "encoding")
    encodings = encoding.members() if encoding is not None else ()
    property_encodings = (
        _encoding(context, key, encoding_node) for key, encoding_node in encodings
    )
    if not _has_styles(context, name):
        property_encodings = (
            replace(item_schema, style=None, explode=None, allow_reserved=False)
            for item_schema in property_encodings
        )
    return MediaType(
        name,
        schema,
        node.at,
        encodings=tuple(property_encodings),
        examples=read_example_values(context, media_node),
        item_schema=item_schema,
        prefix_encodings=_prefix_encodings(context, media_node),
        item_encoding=(
            _encoding(context, "", media_node.child("itemEncoding"))
            if media_node.has("itemEncoding")
            else None
        ),
    )


def _has_styles(context: ParseContext, name: str) -> bool:
    """True if the styles of an encoding apply: in urlencoded bodies, since OpenAPI 3.1 also in
    multipart forms.

    https://spec.openapis.org/oas/v3.0.4.html#encoding-object
    """
    essence = name.partition(";")[0].strip().lower()
    return essence == _URLENCODED or (not context.rules.older_schemas and essence == _FORM_DATA)


def _prefix_encodings(context: ParseContext, node: Node) -> tuple[PropertyEncoding, ...]:
    """Encodings of the first parts of a multipart body without names, by position."""
    if not node.has("prefixEncoding"):
        return ()
    encoding_list = node.child("prefixEncoding")
    if encoding_list.value is not None and not isinstance(encoding_list.value, list):
        context.report_ignored(encoding_list, "prefixEncoding", "a list")
    return tuple(_encoding(context, "", element) for element in encoding_list.elements())


def _encoding(context: ParseContext, name: str, node: Node) -> PropertyEncoding:
    """Encoding of a property; absent fields are None or `""`."""
    if not isinstance(node.value, dict):
        what = f"`{name}`" if name else "the encoding of a part without a name"
        context.report_ignored(node, name, "a mapping", what=what)
    style = read_text_key(context, node, "style")
    if style and style not in _STYLES:
        context.report_ignored(node.child("style"), "style", "the name of a style")
    content_type = read_text_key(context, node, "contentType")
    if not all(
        is_media_type(name_part.strip()) for name_part in content_type.split(",") if content_type
    ):
        context.report_ignored(node.child("contentType"), "contentType", "a media type")
        content_type = ""
    for keyword in _INSIDE if isinstance(node.value, dict) else ():
        if node.has(keyword):
            part = f"`{format_value(name)}`" if name else "a part without a name"
            context.report(codes.UNREAD_ENCODING, node.child(keyword), keyword=keyword, name=part)
    return PropertyEncoding(
        name,
        content_type,
        _STYLES.get(style),
        read_flag_key(context, node, "explode") if node.has("explode") else None,
        read_flag_key(context, node, "allowReserved"),
        node.at,
        parse_part_headers(context, node),
    )


_FRAMING = frozenset({"content-type", "content-disposition"})
"""Headers of a part that follow from other fields."""


def parse_part_headers(context: ParseContext, node: Node) -> tuple[Parameter, ...]:
    """Headers of a part, in document order."""
    header_map = read_mapping_key(context, node, "headers")
    headers = []
    for name, element in header_map.members() if header_map is not None else ():
        header = context.follow(element)
        if header is None or name.lower() in _FRAMING:
            continue
        if not re.fullmatch(_TOKEN, name):
            context.report_ignored(
                replace(element, value=name),
                "headers",
                "the name of a header, without spaces and separators",
                what="a key of `headers`",
                outcome="the header is ignored",
            )
            continue
        if not isinstance(header.value, dict):
            context.report_ignored(element, format_value(name), "a mapping")
            continue
        headers.append(_part_header_parameter(context, name, element, header))
    return tuple(headers)


def _part_header_parameter(
    context: ParseContext, name: str, element: Node, node: Node
) -> Parameter:
    schema = Schema({"type": "string"}, node.at)
    if node.has("schema"):
        schema = context.schema(node.child("schema"))
    elif node.has("content"):
        context.report(
            codes.PARAMETER_WITHOUT_SCHEMA,
            element,
            place="header",
            name=name,
            operation=context.operation,
            reason="has `content`, and the header of a part takes only `schema`; it is read as a string",
        )
    return Parameter(
        name=name,
        place=Place.HEADER,
        schema=schema,
        required=read_flag_key(context, node, "required"),
        at=element.at,
        description=read_text_key(context, node, "description"),
        deprecated=read_flag_key(context, node, "deprecated"),
        style=Style.SIMPLE,
        explode=read_flag_key(context, node, "explode"),
        announced=read_text_key(context, node, "x-mcp-name"),
    )
