"""Bodies of `application/x-www-form-urlencoded` and `multipart/*`.

Multipart: https://www.rfc-editor.org/rfc/rfc7578; names and file names as browsers write them,
https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#multipart-form-data."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from secrets import token_hex
from urllib.parse import unquote

from ..extensions import Extensions
from ..tool import Body, Json
from ..tool_parts import Part
from . import media_encoding, parameters, value_text, xml
from .body import Fields, Write, register_encoders, with_type
from .exchange import InvalidArguments
from .media_encoding import (
    UnencodableValue,
    content,
    is_content_type,
    is_xml,
    media_essence,
    parameter,
)
from .parameters import UpstreamParameter

_PLAIN = Part()
_WRITTEN = re.compile(r"(?:[!$&-;=?-Z_a-z~]|%[0-9A-Fa-f]{2})*")


def form_encoder(kind: str, body: Body, fields: Fields) -> Write | None:
    """The writer of a form or a multipart body."""
    if kind.startswith("multipart/"):
        return lambda value, heads: multipart(body, value, fields, heads)
    if kind == "application/x-www-form-urlencoded":
        return with_type(body.media_type, lambda value: encode_form(value, body.parts, fields))
    return None


def form_bodies(installed: Extensions) -> None:
    """Installs the encoder of forms and multipart bodies."""
    register_encoders((form_encoder,))


def encode_form(value: Json, parts: Mapping[str, Part], fields: Fields) -> bytes:
    """The encoded pairs of an object, or an already encoded text. Raises `UnencodableValue` for
    other values."""
    if isinstance(value, str):
        return ready(value)
    if not isinstance(value, dict):
        raise UnencodableValue((), "must be an object, whose members are the fields of the form")
    pairs: list[str] = []
    for name, member in value.items():
        pairs += (f"{key}={text}" for key, text in _field_pairs(name, member, parts, fields))
    return "&".join(pairs).encode()


def _field_pairs(
    name: str, value: Json, parts: Mapping[str, Part], fields: Fields
) -> Iterator[tuple[str, str]]:
    """The pairs of one field; without a style, an array repeats the name for each item."""
    styled = fields.get(name)
    if styled is not None and styled.style:
        write = parameters.for_reserved_query if styled.reserved else value_text.for_query
        yield from encode_styled_pairs(name, value, styled, write)
        return
    write = parameters.for_reserved_query if styled and styled.reserved else value_text.for_query
    media_type = parts.get(name, _PLAIN).media_type
    for item in value if isinstance(value, list) else [value]:
        if item is not None:
            yield value_text.for_query(name), write(
                media_encoding.content(media_type, item).decode()
            )


def encode_styled_pairs(
    name: str, value: Json, styled: UpstreamParameter, write: parameters.Encode
) -> list[tuple[str, str]]:
    """The pairs of a field with a style. Raises `UnencodableValue` for an unsupported value."""
    try:
        return list(parameters.encode_query_pairs(name, value, styled.style, styled.explode, write))
    except InvalidArguments as refused:
        raise UnencodableValue((name,), "; ".join(refused.problems)) from None


def ready(text: str) -> bytes:
    """Checks an already encoded form. Raises `UnencodableValue` if invalid."""
    if not _WRITTEN.fullmatch(text):
        raise UnencodableValue(
            (), "must be a form such as `a=1&b=2`, with everything else %-encoded"
        )
    return text.encode()


_QUOTED = {ord('"'): "%22", ord("\r"): "%0D", ord("\n"): "%0A"}
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


@dataclass(frozen=True)
class PartHead:
    """File names and content types of one part's items, in order, and the part's headers, as given
    by a call."""

    filename: Json = None
    type: Json = None
    headers: Mapping[str, Json] = field(default_factory=dict)


def multipart(
    body: Body, value: Json, fields: Fields, heads: Mapping[str, Mapping[str, Json]]
) -> tuple[str, bytes]:
    """The content type with boundary, and the encoded body.

    An array becomes a part per item, unless the field has a style.
    """
    kind = media_essence(body.media_type)
    if isinstance(value, dict):
        parts = [
            part
            for name, member in value.items()
            for part in _property_parts(body, name, member, fields, PartHead(**heads.get(name, {})))
        ]
    else:
        parts = _unnamed(body, value if isinstance(value, list) else [value])
    boundary = _boundary(parts)
    lines: list[bytes] = []
    for head, inside in parts:
        lines += [f"--{boundary}".encode(), *head, b"", inside]
    more = "" if kind != "multipart/related" else _related(body, parts)
    encoded = b"\r\n".join([*lines, f"--{boundary}--".encode(), b""])
    return f"{kind}; boundary={boundary}{more}", encoded


EncodedPart = tuple[list[bytes], bytes]
"""Header lines and content of a part."""


def _boundary(parts: list[EncodedPart]) -> str:
    """A random boundary that occurs in no part."""
    while True:
        boundary = token_hex(16)
        if not any(boundary.encode() in inside for _, inside in parts):
            return boundary


def _related(body: Body, parts: list[EncodedPart]) -> str:
    """The `type` parameter with the media type of the root, required by RFC 2387."""
    root_type = parameter(body.media_type, "type")
    for line in parts[0][0] if parts else ():
        name, _, media_type = line.decode().partition(": ")
        root_type = root_type or (media_essence(media_type) if name == "Content-Type" else "")
    return f'; type="{root_type}"' if root_type and is_content_type(root_type) else ""


def _property_parts(
    body: Body, name: str, value: Json, fields: Fields, part_head: PartHead
) -> Iterator[EncodedPart]:
    """The parts of one property."""
    part = body.parts.get(name, _PLAIN)
    styled = fields.get(name)
    if styled is not None and styled.style and _has_style(value):
        write: parameters.Encode = value_text.for_query
        if styled.style == "form" and not styled.explode:
            # Parts are not percent-encoded, so a comma inside an item would split the item.
            write = parameters.member_encoder(write, "%2C")
        for key, text in encode_styled_pairs(name, value, styled, write):
            yield [_disposition(unquote(key))], unquote(text).encode()
        return
    missing = [header for header in part.needs if header not in part_head.headers]
    if missing:
        raise UnencodableValue((name,), f"its header `{missing[0]}` is required")
    items = value if isinstance(value, list) else [value]
    if isinstance(part_head.filename, list) and len(part_head.filename) > len(items):
        why = f"has {len(part_head.filename)} names for {len(items)} of `{name}`"
        raise UnencodableValue((name,), why, ("filename",))
    for index, item in enumerate(items):
        filename = _item_value(part_head.filename, index)
        if filename is None and isinstance(item, bytes):
            filename = name
        media_type = _media_type((name,), part, item, _item_value(part_head.type, index))
        head = [_disposition(name, filename)]
        if media_type:
            head.append(f"Content-Type: {media_type}".encode())
        head += [
            _header(name, key, header_value) for key, header_value in part_head.headers.items()
        ]
        yield head, _content(body, part, media_type, item, (name,))


def _unnamed(body: Body, values: list[Json]) -> list[EncodedPart]:
    """The parts of a body whose parts have no names."""
    parts: list[EncodedPart] = []
    for index, item in enumerate(values):
        part = body.parts.get(str(index), body.parts.get("", _PLAIN))
        if part.base64 and isinstance(item, str):
            try:
                item = base64.b64decode("".join(item.split()), validate=True)
            except (binascii.Error, ValueError):
                raise UnencodableValue((index,), "is not base64") from None
        media_type = _media_type((index,), part, item, None)
        head = [f"Content-Type: {media_type}".encode()] if media_type else []
        parts.append((head, _content(body, part, media_type, item, (index,))))
    return parts


def _content(body: Body, part: Part, media_type: str, value: Json, path: xml.Path) -> bytes:
    if isinstance(value, str) and is_xml(media_essence(media_type)):
        return xml.check_document(value, media_type)
    if part.xml is not None:
        return xml.xml_document(body.xml, part.xml, value, media_type, path)
    return content(media_type, value)


def _media_type(path: xml.Path, part: Part, value: Json, declared: str | None) -> str:
    """The content type of a part; `""` for plain text."""
    if declared is not None:
        if not is_content_type(declared):
            raise UnencodableValue(path, "has a content type that is none")
        return declared
    if part.media_type:
        if "*" in part.media_type:
            raise UnencodableValue(path, f"needs a content type that fits `{part.media_type}`")
        return part.media_type
    if isinstance(value, bytes):
        return "application/octet-stream"
    return "application/json" if isinstance(value, dict | list) else ""


def _item_value(value: Json, index: int) -> Json:
    """The value for one item: from a list by position, otherwise the same for all items."""
    if isinstance(value, list):
        return value[index] if index < len(value) else None
    return value


def _has_style(value: Json) -> bool:
    """True if a style can encode the value; files have no style."""
    if isinstance(value, list):
        return not any(isinstance(item, bytes) for item in value)
    return isinstance(value, dict)


def _disposition(name: str, filename: str | None = None) -> bytes:
    line = f'Content-Disposition: form-data; name="{name.translate(_QUOTED)}"'
    if filename is not None:
        if _CONTROL.search(filename):
            raise UnencodableValue((name,), "must not hold control characters", ("filename",))
        line += f'; filename="{filename.translate(_QUOTED)}"'
    return _CONTROL.sub("_", line).encode()


def _header(part: str, name: str, value: Json) -> bytes:
    try:
        text = parameters.encode_simple(value, value_text.for_header)
    except InvalidArguments as refused:
        raise UnencodableValue((part,), "; ".join(refused.problems), ("headers", name)) from None
    return f"{value_text.token(name)}: {text}".encode()
