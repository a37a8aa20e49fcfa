"""How a body is written, by media type."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ..tool import Body, Json
from . import media_encoding, xml
from .forms import Fields, encode_form, multipart
from .request import UnencodableValue

Heads = Mapping[str, Mapping[str, Json]]
"""What a call says of the parts of a multipart body beside their content, by name."""

Write = Callable[[Json, Heads], tuple[str, bytes]]
"""Gives the content type and the bytes of a body."""


def body_writer(body: Body, fields: Fields) -> Write:
    """What writes a body of this kind; `fields` are those of a form with a style of their own."""
    kind = media_encoding.media_essence(body.media_type)
    if kind.startswith("multipart/"):
        return lambda value, heads: multipart(body, value, fields, heads)
    media_type = "application/json" if kind in media_encoding.UNTOLD else body.media_type
    write = _writer(kind, body, fields)
    if "*" in media_type:
        return lambda value, heads: (_part_type(media_type, heads), write(value))
    return lambda value, _: (media_type, write(value))


def _part_type(media_type: str, heads: Heads) -> str:
    """The content type that a call names, where the API takes a range of them."""
    told = str(heads.get("", {}).get("type", ""))
    if not media_encoding.is_content_type(told):
        raise UnencodableValue((), f"needs a content type that fits `{media_type}`")
    return told


def _writer(kind: str, body: Body, fields: Fields) -> Callable[[Json], bytes]:
    media_type = body.media_type
    if kind == "application/x-www-form-urlencoded":
        return lambda value: encode_form(value, body.parts, fields)
    if (sequence := media_encoding.sequence_writer(kind)) is not None:
        return sequence
    if media_encoding.is_json(kind):
        return media_encoding.encode_json
    if media_encoding.is_xml(kind) and not body.xml:
        return lambda value: xml.check_document(value, media_type)
    if media_encoding.is_xml(kind):
        return lambda value: xml.xml_document(body.xml, body.xml[""], value, media_type)
    return lambda value: media_encoding.content(media_type, value)
