"""How a body is written, by media type."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from . import content, lines, xml
from .form import Fields, form
from .multipart import multipart
from .request import Unsendable
from .tool import Body, Json

Heads = Mapping[str, Mapping[str, Json]]
"""What a call says of the parts of a multipart body beside their content, by name."""

Write = Callable[[Json, Heads], tuple[str, bytes]]
"""Gives the content type and the bytes of a body."""


def writer(body: Body, fields: Fields) -> Write:
    """What writes a body of this kind; `fields` are those of a form with a style of their own."""
    kind = content.essence(body.media_type)
    if kind.startswith("multipart/"):
        return lambda value, heads: multipart(body, value, fields, heads)
    media_type = "application/json" if kind in content.UNTOLD else body.media_type
    write = _writer(kind, body, fields)
    if "*" in media_type:
        return lambda value, heads: (_told(media_type, heads), write(value))
    return lambda value, _: (media_type, write(value))


def _told(media_type: str, heads: Heads) -> str:
    """The content type that a call names, where the API takes a range of them."""
    told = str(heads.get("", {}).get("type", ""))
    if not content.is_media_type(told):
        raise Unsendable((), f"needs a content type that fits `{media_type}`")
    return told


def _writer(kind: str, body: Body, fields: Fields) -> Callable[[Json], bytes]:
    media_type = body.media_type
    if kind == "application/x-www-form-urlencoded":
        return lambda value: form(value, body.parts, fields)
    if (sequence := lines.sequence_writer(kind)) is not None:
        return sequence
    if content.is_json(kind):
        return content.compact
    if content.is_xml(kind) and not body.xml:
        return lambda value: xml.given(value, media_type)
    if content.is_xml(kind):
        return lambda value: xml.document(body.xml, body.xml[""], value, media_type)
    return lambda value: content.content(media_type, value)
