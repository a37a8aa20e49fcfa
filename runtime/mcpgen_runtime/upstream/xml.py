"""Encodes values as XML by the API's schemas, and checks XML given as text.

Source: https://spec.openapis.org/oas/v3.2.0.html#xml-object.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from xml.parsers import expat

from ..extensions import Extensions
from ..tool import Body, Json
from ..tool_parts import Element
from . import media_encoding
from .body import Fields, Write, register_encoders, with_type
from .media_encoding import UnencodableValue, encoded, parameter
from .value_text import scalar_value

Path = tuple[str | int, ...]
"""Keys and positions that lead to a value."""

_START = (
    "A-Z_a-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02ff\u0370-\u037d\u037f-\u1fff\u200c\u200d"
    "\u2070-\u218f\u2c00-\u2fef\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd\U00010000-\U000effff"
)
_PART = f"[{_START}][-.0-9\u00b7\u0300-\u036f\u203f\u2040{_START}]*"
_NAME = rf"(?:{_PART}:)?{_PART}"
_ILLEGAL = r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"
# Cached separately from `re`, whose cache is bounded: these large patterns are slow to compile.
# Compiled on first use, since most servers need no XML.
_compiled = cache(re.compile)
_INSIDE = {ord("&"): "&amp;", ord("<"): "&lt;", ord(">"): "&gt;", ord("\r"): "&#13;"}
_QUOTED = _INSIDE | {ord('"'): "&quot;", ord("\t"): "&#9;", ord("\n"): "&#10;"}
_XSI = "http://www.w3.org/2001/XMLSchema-instance"
_NONE: Mapping[str, str] = {}


def xml_encoder(kind: str, body: Body, fields: Fields) -> Write | None:
    """The writer of an XML body: made by the shapes in `body.xml`, or text that is checked."""
    media_type = body.media_type
    if not media_encoding.is_xml(kind):
        return None
    if not body.xml:
        return with_type(media_type, lambda value: check_document(value, media_type))
    return with_type(
        media_type, lambda value: xml_document(body.xml, body.xml[""], value, media_type)
    )


def xml_document(
    shapes: Mapping[str, Element], root: Element, value: Json, media_type: str, path: Path = ()
) -> bytes:
    """A value as an XML document. Raises `UnencodableValue` for characters or names not allowed in
    XML."""
    charset = parameter(media_type, "charset") or "UTF-8"
    inside = "".join(_nodes(shapes, root, root.name, value, path))
    return encoded(f'<?xml version="1.0" encoding="{charset}"?>\n{inside}', media_type)


def check_document(text: str, media_type: str) -> bytes:
    """Checks an XML document given as text.

    Raises `UnencodableValue` for malformed XML, and for a document type, since entities can read
    files and expand without limit.
    """
    charset = parameter(media_type, "charset") or "utf-8"
    parser = expat.ParserCreate("utf-8")
    parser.StartDoctypeDeclHandler = _refuse_doctype
    parser.XmlDeclHandler = _Declared(charset)
    try:
        parser.Parse(text.encode(), True)
    except expat.ExpatError as fault:
        reason = expat.ErrorString(fault.code)
        raise UnencodableValue(
            (),
            f"is not well-formed XML: {reason} at line {fault.lineno}, column {fault.offset + 1}",
        ) from None
    return encoded(text, media_type)


def _refuse_doctype(*_: object) -> None:
    raise UnencodableValue((), "must not hold a DOCTYPE")


class _Declared:
    """Refuses a declared encoding other than the body's charset."""

    def __init__(self, charset: str) -> None:
        self._charset = charset.lower()

    def __call__(self, version: str, encoding: str | None, standalone: int) -> None:
        if encoding is not None and encoding.lower() != self._charset:
            raise UnencodableValue(
                (), f"must not declare the encoding {encoding}; it is {self._charset}"
            )


Shapes = Mapping[str, Element]
Spaces = dict[str, str]


def _nodes(shapes: Shapes, shape: Element, name: str, value: Json, path: Path) -> Iterator[str]:
    """The element of a value, or the elements of an unwrapped array."""
    name = shape.name or name
    inner = shapes[shape.like] if shape.like else shape
    if isinstance(value, list):
        items = (
            text
            for index, item in enumerate(value)
            for text in _nodes(shapes, inner.each or Element(), name, item, (*path, index))
        )
        if not shape.wrapped:
            yield from items
            return
        yield _opening(name, shape, path)
        yield from items
    elif value is None:
        yield _opening(name, shape, path, {"xmlns:xsi": _XSI}, ' xsi:nil="true"')
    elif isinstance(value, dict):
        yield _opening(name, shape, path, *_attributes(inner, value, path))
        yield from _inside(shapes, inner, value, path)
    elif shape.node == "cdata":
        yield f"<![CDATA[{_element_text(value, path).replace(']]>', ']]]]><![CDATA[>')}]]>"
        return
    elif shape.node == "text":
        yield _element_text(value, path).translate(_INSIDE)
        return
    else:
        yield _opening(name, shape, path)
        yield _element_text(value, path).translate(_INSIDE)
    yield f"</{name}>"


def _inside(shapes: Shapes, shape: Element, value: Mapping[str, Json], path: Path) -> Iterator[str]:
    """The content of an object's element: members in the order of the schema, then other
    members."""
    for key, field in shape.fields.items():
        if key in value and field.node != "attribute":
            yield from _nodes(shapes, field, key, value[key], (*path, key))
    for key, member in value.items():
        if key not in shape.fields:
            yield from _nodes(shapes, shape.other or Element(), key, member, (*path, key))


def _attributes(shape: Element, value: Mapping[str, Json], path: Path) -> tuple[Spaces, str]:
    """The namespace prefixes and the text of an object's attributes; null values are omitted."""
    spaces: Spaces = {}
    attributes: list[str] = []
    for key, field in shape.fields.items():
        if field.node != "attribute" or value.get(key) is None:
            continue
        name = field.name or key
        if field.namespace:
            spaces[f"xmlns:{name.partition(':')[0]}"] = field.namespace
        member = value[key]
        texts = [
            _element_text(item, (*path, key))
            for item in (member if isinstance(member, list) else [member])
        ]
        attributes.append(f' {name}="{" ".join(texts).translate(_QUOTED)}"')
    return spaces, "".join(attributes)


def _opening(
    name: str, shape: Element, path: Path, spaces: Mapping[str, str] = _NONE, attributes: str = ""
) -> str:
    prefix, colon, _ = name.rpartition(":")
    if not _compiled(_NAME).fullmatch(name) or (colon and not shape.namespace):
        raise UnencodableValue(path, "cannot be the name of an XML element")
    if shape.namespace:
        spaces = {**spaces, f"xmlns{colon}{prefix}": shape.namespace}
    declared = "".join(f' {key}="{uri.translate(_QUOTED)}"' for key, uri in spaces.items())
    return f"<{name}{declared}{attributes}>"


def _element_text(value: Json, path: Path) -> str:
    text = scalar_value(value)
    illegal = _compiled(_ILLEGAL).search(text)
    if illegal:
        raise UnencodableValue(path, f"must not hold {illegal[0]!r}, which XML cannot carry")
    return text


def xml_bodies(installed: Extensions) -> None:
    """Installs the encoder of XML bodies."""
    register_encoders((xml_encoder,))
