"""The Media Type Objects of a body, response or parameter;
https://spec.openapis.org/oas/v3.1.1.html#media-type-object."""

from __future__ import annotations

import re
from dataclasses import replace

from mcpgen.diagnostics.codes import parse as codes
from mcpgen.ir.api import MediaType, Parameter, Place, PropertyEncoding, Schema, Style
from mcpgen.parse.context import ParseContext
from mcpgen.parse.node import Node, format_value
from mcpgen.parse.scalars import example_values, mapping, read_flag_key, read_text_key

_TOKEN = r"[A-Za-z0-9!#$%&'*+.^_`|~-]+"
_MEDIA_TYPE = re.compile(
    rf"{_TOKEN}/{_TOKEN}(?:[ \t]*;[ \t]*{_TOKEN}=(?:{_TOKEN}|\"[^\"\\\x00-\x1f\x7f]*\"))*"
)
_URLENCODED = "application/x-www-form-urlencoded"
_FORM_DATA = "multipart/form-data"
_INSIDE = ("encoding", "prefixEncoding", "itemEncoding")
"""What an encoding may say of what is inside its part."""
_STYLES = {style.value: style for style in Style if style is not Style.TAB}


def is_media_type(name: str) -> bool:
    """Whether a text can be sent as a media type, with or without parameters."""
    return _MEDIA_TYPE.fullmatch(name) is not None and name.isascii()


def media_types(scope: ParseContext, node: Node) -> tuple[MediaType, ...]:
    """The representations under `content`, in document order."""
    content = mapping(scope, node, "content")
    found = []
    for name, each in content.members() if content is not None else ():
        if name.startswith("x-"):
            continue
        if not is_media_type(name):
            scope.tell(codes.IGNORED_MEDIA_TYPE, each, name=format_value(name))
            continue
        found.append(_media_type(scope, name, each))
    return tuple(found)


def _media_type(scope: ParseContext, name: str, node: Node) -> MediaType:
    described = scope.follow(node)
    if described is None or described.value is None:
        return MediaType(name, None, node.at)
    if not isinstance(described.value, dict):
        scope.ignored(described, name, "a mapping")
        return MediaType(name, None, node.at)
    schema = scope.schema(described.child("schema")) if described.has("schema") else None
    each = scope.schema(described.child("itemSchema")) if described.has("itemSchema") else None
    if schema is None and each is not None:
        schema = Schema({"type": "array", "items": each.json}, each.at)
    encoding = mapping(scope, described, "encoding")
    encodings = encoding.members() if encoding is not None else ()
    read = (_encoding(scope, key, written) for key, written in encodings)
    if not _has_styles(scope, name):
        read = (replace(each, style=None, explode=None, allow_reserved=False) for each in read)
    return MediaType(
        name,
        schema,
        node.at,
        encodings=tuple(read),
        examples=example_values(scope, described),
        item_schema=each,
        prefix_encodings=_prefix_encodings(scope, described),
        item_encoding=(
            _encoding(scope, "", described.child("itemEncoding"))
            if described.has("itemEncoding")
            else None
        ),
    )


def _has_styles(scope: ParseContext, name: str) -> bool:
    """Whether the styles of an encoding count: before 3.1 in urlencoded bodies alone, since then in
    multipart forms, too; https://spec.openapis.org/oas/v3.0.4.html#encoding-object."""
    essence = name.partition(";")[0].strip().lower()
    return essence == _URLENCODED or (not scope.rules.older_schemas and essence == _FORM_DATA)


def _prefix_encodings(scope: ParseContext, node: Node) -> tuple[PropertyEncoding, ...]:
    """How the first parts of a body without names are written, by their positions."""
    if not node.has("prefixEncoding"):
        return ()
    listed = node.child("prefixEncoding")
    if listed.value is not None and not isinstance(listed.value, list):
        scope.ignored(listed, "prefixEncoding", "a list")
    return tuple(_encoding(scope, "", each) for each in listed.elements())


def _encoding(scope: ParseContext, name: str, node: Node) -> PropertyEncoding:
    """How one property is written; what the document does not say is None or `""`."""
    if not isinstance(node.value, dict):
        scope.ignored(node, name, "a mapping")
    style = read_text_key(scope, node, "style")
    if style and style not in _STYLES:
        scope.ignored(node.child("style"), "style", "the name of a style")
    content_type = read_text_key(scope, node, "contentType")
    if not all(is_media_type(each.strip()) for each in content_type.split(",") if content_type):
        scope.ignored(node.child("contentType"), "contentType", "a media type")
        content_type = ""
    for keyword in _INSIDE if isinstance(node.value, dict) else ():
        if node.has(keyword):
            told = format_value(name) if name else "a part"
            scope.tell(codes.UNREAD_ENCODING, node.child(keyword), keyword=keyword, name=told)
    return PropertyEncoding(
        name,
        content_type,
        _STYLES.get(style),
        read_flag_key(scope, node, "explode") if node.has("explode") else None,
        read_flag_key(scope, node, "allowReserved"),
        node.at,
        part_headers(scope, node),
    )


_FRAMING = frozenset({"content-type", "content-disposition"})
"""Headers of a part that follow from the rest of its description."""


def part_headers(scope: ParseContext, node: Node) -> tuple[Parameter, ...]:
    """The headers of one part, in document order."""
    listed = mapping(scope, node, "headers")
    found = []
    for name, element in listed.members() if listed is not None else ():
        described = scope.follow(element)
        if described is None or name.lower() in _FRAMING:
            continue
        if not isinstance(described.value, dict) or not re.fullmatch(_TOKEN, name):
            scope.ignored(element, format_value(name), "a header")
            continue
        found.append(_header(scope, name, element, described))
    return tuple(found)


def _header(scope: ParseContext, name: str, element: Node, node: Node) -> Parameter:
    schema = Schema({"type": "string"}, node.at)
    if node.has("schema"):
        schema = scope.schema(node.child("schema"))
    elif node.has("content"):
        scope.tell(
            codes.PARAMETER_WITHOUT_SCHEMA,
            element,
            place="header",
            name=name,
            operation=scope.operation,
            reason="has `content`, which the head of a part cannot follow; it is read as a string",
        )
    return Parameter(
        name=name,
        place=Place.HEADER,
        schema=schema,
        required=read_flag_key(scope, node, "required"),
        at=element.at,
        description=read_text_key(scope, node, "description"),
        deprecated=read_flag_key(scope, node, "deprecated"),
        style=Style.SIMPLE,
        explode=read_flag_key(scope, node, "explode"),
        announced=read_text_key(scope, node, "x-mcp-name"),
    )
