"""Chooses the encoder of a body by media type.

Encoders of forms, multipart bodies and XML are registered, because most APIs accept only JSON: a
project contains only the encoders that its operations need.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from ..tool import Body, Json
from . import media_encoding
from .media_encoding import UnencodableValue
from .parameters import UpstreamParameter

PartHeaders = Mapping[str, Mapping[str, Json]]
"""File names, content types and headers of multipart parts given by a call, by part name."""

Fields = Mapping[str, UpstreamParameter]
"""Body fields with a style, by name."""

Write = Callable[[Json, PartHeaders], tuple[str, bytes]]
"""Returns the content type and the bytes of a body."""

BodyEncoder = Callable[[str, Body, Fields], Write | None]
"""The encoder of a body by media type without parameters, None for an unsupported media type."""

_encoders: dict[BodyEncoder, None] = {}

_FORM = "application/x-www-form-urlencoded"


def register_encoders(encoders: Iterable[BodyEncoder]) -> None:
    """Adds encoders for all servers of this process."""
    _encoders.update(dict.fromkeys(encoders))


def body_writer(body: Body, fields: Fields) -> Write:
    """The writer of a body. Raises `ValueError` for a media type whose encoder is not registered."""
    kind = media_encoding.media_essence(body.media_type)
    for encoder in _encoders:
        if (write := encoder(kind, body, fields)) is not None:
            return write
    if kind == _FORM or kind.startswith("multipart/") or media_encoding.is_xml(kind):
        raise ValueError(f"this server has no encoder for bodies of `{kind}`")
    media_type = "application/json" if kind in media_encoding.UNSPECIFIC else body.media_type
    return with_type(media_type, _encode(kind, body.media_type))


def with_type(media_type: str, encode: Callable[[Json], bytes]) -> Write:
    """A writer with the content type `media_type`, or the type that a call names where `media_type` is a range."""
    if "*" in media_type:
        return lambda value, part_headers: (_part_type(media_type, part_headers), encode(value))
    return lambda value, _: (media_type, encode(value))


def _part_type(media_type: str, part_headers: PartHeaders) -> str:
    """The content type that a call names, where the API takes a range of types."""
    content_type = str(part_headers.get("", {}).get("type", ""))
    if not media_encoding.is_content_type(content_type):
        raise UnencodableValue((), f"needs a content type that fits `{media_type}`")
    return content_type


def _encode(kind: str, media_type: str) -> Callable[[Json], bytes]:
    if (sequence := media_encoding.sequence_writer(kind)) is not None:
        return sequence
    if media_encoding.is_json(kind):
        return media_encoding.encode_json
    return lambda value: media_encoding.content(media_type, value)
