"""Parameter values as text on the wire, style by style, and XML in canonical form.

Source: https://spec.openapis.org/oas/v3.1.1.html#style-values. Scenarios use this second
implementation, independent of the runtime's, so that each checks the other.

Independent of the runtime's code, so that each checks the other. Source:
https://spec.openapis.org/oas/v3.2.0.html#xml-object and https://www.w3.org/TR/xml-c14n2/.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from urllib.parse import quote
from xml.etree.ElementTree import ParseError, XMLParser, canonicalize
from xml.sax.saxutils import escape, quoteattr

from mcpgen.ir.api import Place, Style
from mcpgen.ir.server import ElementSpec, XmlNode
from mcpgen.ir.source import Json
from mcpgen.lower.flatten.scalar import DELIMITERS, unescaped_delimiter

Pairs = list[tuple[str, str]]

_RESERVED = ":/?@!$'()*,"
_RESERVED_IN_PATH = ":@!$&'()*+,"
_ESCAPES = re.compile("(%[0-9A-F]{2})")
_COMPACT = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
_DELIMITERS = {style: quote(sign) for style, sign in DELIMITERS.items()}


def scalar_text(value: Json) -> str:
    """A scalar as text; anything deeper as compact JSON.

    Example: `scalar_text(True)` gives `'true'`.
    """
    if isinstance(value, str):
        return value
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return compact_json(value)


def compact_json(value: Json) -> str:
    """Compact JSON.

    Example: `compact_json({"a": [1, 2]})` gives `'{"a":[1,2]}'`.
    """
    return _COMPACT.encode(value)


def percent_encode(value: Json, reserved: bool = False) -> str:
    """A value percent-encoded (RFC 3986) for path or query; `reserved` keeps reserved
    characters.

    Example: `percent_encode("a/b", False)` gives `'a%2Fb'`.
    """
    return quote(scalar_text(value), safe=_RESERVED if reserved else "")


def row_texts(value: Json, rows: Style) -> list[str]:
    """Returns the inner arrays of an array in order, as texts for path or query."""
    return [_DELIMITERS.get(rows, ",").join(percent_encode(item) for item in row) for row in value]


def item_delimiter(style: Style | None) -> str:
    """Returns the percent-encoded delimiter of array items in path and query; `,` by default."""
    return _DELIMITERS.get(style or Style.FORM, ",")


def path_segment(
    name: str, value: Json, style: Style | None, explode: bool, reserved: bool = False
) -> str:
    """Returns the text for `{name}` in a path: `;id=5` in style `matrix`."""
    if reserved:
        segment = path_segment(name, value, style, explode)
        reserved_signs = {quote(sign, safe=""): sign for sign in _RESERVED_IN_PATH}
        return "".join(reserved_signs.get(piece, piece) for piece in _ESCAPES.split(segment))
    if style is Style.MATRIX:
        if explode and isinstance(value, list):
            return "".join(f";{percent_encode(name)}={percent_encode(item)}" for item in value)
        if explode and isinstance(value, dict):
            return "".join(
                f";{percent_encode(key)}={percent_encode(item)}" for key, item in value.items()
            )
        joined = _join_values(value, ",", False)
        return f";{percent_encode(name)}={joined}" if joined else f";{percent_encode(name)}"
    if style is Style.LABEL:
        return "." + _join_values(value, "." if explode else ",", explode)
    return _join_values(value, _DELIMITERS.get(style or Style.SIMPLE, ","), explode)


def encode_query(
    name: str, value: Json, style: Style | None, explode: bool, reserved: bool = False
) -> Pairs:
    """The encoded pairs of a query parameter."""
    if style is Style.DEEP_OBJECT and isinstance(value, list | dict):
        return _deep_object(percent_encode(name), value, reserved)
    if isinstance(value, list):
        if explode:
            return [(percent_encode(name), percent_encode(item, reserved)) for item in value]
        delimiter = _DELIMITERS.get(style or Style.FORM, ",")
        return (
            [(percent_encode(name), delimiter.join(percent_encode(i, reserved) for i in value))]
            if value
            else []
        )
    if isinstance(value, dict):
        if not explode:
            delimiter = _DELIMITERS.get(style or Style.FORM, ",")
            flat = delimiter.join(
                f"{percent_encode(key, reserved)}{delimiter}{percent_encode(item, reserved)}"
                for key, item in value.items()
            )
            return [(percent_encode(name), flat)] if value else []
        pairs: Pairs = []
        for key, item in value.items():
            items = item if isinstance(item, list) else [item]
            pairs += [(percent_encode(key), percent_encode(part, reserved)) for part in items]
        return pairs
    return [(percent_encode(name), percent_encode(value, reserved))]


def header_text(value: Json, explode: bool, style: Style | None = None) -> str:
    """Returns a header value, in style `simple` by default."""
    if isinstance(value, list):
        return unescaped_delimiter(Place.HEADER, style, explode).join(
            scalar_text(item) for item in value
        )
    if isinstance(value, dict):
        delimiter = "=" if explode else ","
        return ",".join(f"{key}{delimiter}{scalar_text(item)}" for key, item in value.items())
    return scalar_text(value)


def _deep_object(name: str, value: Json, reserved: bool) -> Pairs:
    if isinstance(value, dict):
        return [
            pair
            for key, item in value.items()
            for pair in _deep_object(f"{name}%5B{percent_encode(key)}%5D", item, reserved)
        ]
    if isinstance(value, list):
        nested = any(isinstance(item, list | dict) for item in value)
        return [
            pair
            for index, item in enumerate(value)
            for pair in _deep_object(f"{name}%5B{index if nested else ''}%5D", item, reserved)
        ]
    return [(name, percent_encode(value, reserved))]


def _join_values(value: Json, delimiter: str, explode: bool) -> str:
    if isinstance(value, list):
        return delimiter.join(percent_encode(item) for item in value)
    if isinstance(value, dict):
        inner = "=" if explode else ","
        return delimiter.join(
            f"{percent_encode(key)}{inner}{percent_encode(item)}" for key, item in value.items()
        )
    return percent_encode(value)


def is_ambiguous(
    place: Place, style: Style | None, explode: bool, value: Json, reserved: bool = False
) -> bool:
    """True if a member contains an unescaped delimiter, so that the receiver cannot split the
    members."""
    if not isinstance(value, list | dict):
        return False
    members = value if isinstance(value, list) else [*value, *value.values()]
    delimiter = unescaped_delimiter(place, style, explode, reserved)
    return bool(delimiter) and any(delimiter in scalar_text(member) for member in members)


_NIL = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:nil="true"'


def canonical(shapes: Mapping[str, ElementSpec], value: Json) -> str:
    """Returns the canonical document of a value; `""` for an inexpressible value."""
    document = _XmlWriter(shapes).write(shapes[""], "", value)
    try:
        return canonicalize(document)
    except (ParseError, UnicodeEncodeError):
        return ""


def canonical_xml(document: str) -> str:
    """Returns a document in canonical form. Raises ParseError for malformed XML."""
    return canonicalize(document)


def is_document(text: str) -> bool:
    """True for a well-formed document without a DOCTYPE.

    Example: `is_document("<a/>")` gives `True`.
    """
    if "<!DOCTYPE" in text:
        return False
    parser = XMLParser()
    try:
        parser.feed(text)
        parser.close()
    except (ParseError, UnicodeEncodeError):
        return False
    return True


class _XmlWriter:
    """Writes values by shapes, which may refer to named shapes."""

    def __init__(self, shapes: Mapping[str, ElementSpec]) -> None:
        self._shapes = shapes

    def write(self, shape: ElementSpec, key: str, value: Json) -> str:
        """Returns a value as the text of its element."""
        inner = self._shapes[shape.like] if shape.like else shape
        name = shape.name or key
        if isinstance(value, list):
            item_shape = inner.each or ElementSpec()
            content = "".join(self.write(item_shape, name, item) for item in value)
            return self._wrap(shape, name, [], content) if shape.wrapped else content
        if isinstance(value, dict):
            return self._wrap(shape, name, *self._members(inner, value))
        if value is None:
            return self._wrap(shape, name, [_NIL], "")
        if shape.node is not XmlNode.ELEMENT:
            return escape(scalar_text(value))
        return self._wrap(shape, name, [], escape(scalar_text(value)))

    def _members(self, shape: ElementSpec, value: Mapping[str, Json]) -> tuple[list[str], str]:
        attributes: dict[str, str] = {}
        ordered = [key for key in shape.fields if key in value]
        ordered += [key for key in value if key not in shape.fields]
        content = ""
        for key in ordered:
            field = shape.fields.get(key, shape.other or ElementSpec())
            if field.node is not XmlNode.ATTRIBUTE:
                content += self.write(field, key, value[key])
            elif value[key] is not None:
                name = field.name or key
                items = value[key] if isinstance(value[key], list) else [value[key]]
                if field.namespace:
                    attributes[f"xmlns:{name.split(':')[0]}"] = field.namespace
                attributes[name] = " ".join(map(scalar_text, items))
        return [f"{name}={quoteattr(member)}" for name, member in attributes.items()], content

    def _wrap(self, shape: ElementSpec, name: str, attributes: list[str], content: str) -> str:
        if shape.namespace:
            prefix = name.split(":")[0] if ":" in name else ""
            space = f"xmlns:{prefix}" if prefix else "xmlns"
            declared = f"{space}={quoteattr(shape.namespace)}"
            attributes = [
                attribute for attribute in attributes if not attribute.startswith(f"{space}=")
            ]
            attributes = [declared, *attributes]
        return f"<{' '.join([name, *attributes])}>{content}</{name}>"
