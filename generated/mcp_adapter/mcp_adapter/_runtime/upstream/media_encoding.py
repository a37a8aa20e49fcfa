"""Encodes one value as bytes of a media type, and sequences of JSON values."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable

from ..tool import Json
from .request import UnencodableValue
from .value_text import TOO_LARGE, request_json, scalar_value

UNTOLD = ("*/*", "application/*")
"""Ranges of media types that stand for JSON."""

_TOKEN = r"[!#$%&'*+.^_`|~0-9A-Za-z-]+"
_MEDIA_TYPE = re.compile(
    rf"{_TOKEN}/{_TOKEN}(?: *; *{_TOKEN}=(?:{_TOKEN}|\"[^\"\\\x00-\x1f\x7f-\uffff]*\"))*"
)


def media_essence(media_type: str) -> str:
    """The media type in small letters, without its parameters."""
    return media_type.partition(";")[0].strip().lower()


def parameter(media_type: str, name: str) -> str:
    """A parameter of a media type, or `""`."""
    for pair in media_type.split(";")[1:]:
        key, _, value = pair.partition("=")
        if key.strip().lower() == name:
            return value.strip().strip('"')
    return ""


def is_content_type(text: str) -> bool:
    """Whether a text can be the value of `Content-Type`."""
    return _MEDIA_TYPE.fullmatch(text) is not None


def is_json(kind: str) -> bool:
    """Whether a media type without parameters is JSON."""
    return kind in ("application/json", "text/json", *UNTOLD) or kind.endswith("+json")


def is_xml(kind: str) -> bool:
    """Whether a media type without parameters is XML."""
    return kind.endswith(("/xml", "+xml"))


def encode_json(value: Json) -> bytes:
    """Compact JSON; bytes, which JSON has not, as base64. Raises `UnencodableValue` for numbers it has not."""
    try:
        text = request_json(value, _WITH_BYTES.encode)
    except ValueError:
        raise UnencodableValue((), TOO_LARGE) from None
    return text.encode()


def _base64(value: bytes) -> str:
    return base64.b64encode(value).decode()


_WITH_BYTES = json.JSONEncoder(
    ensure_ascii=False, separators=(",", ":"), allow_nan=False, default=_base64
)


def content(media_type: str, value: Json) -> bytes:
    """Bytes as they are, JSON where the media type says so or nothing else can hold the value, and
    text in the media type's charset."""
    if isinstance(value, bytes):
        return value
    if isinstance(value, dict | list) or (media_type and is_json(media_essence(media_type))):
        return encode_json(value)
    return encoded(scalar_value(value), media_type)


def encoded(text: str, media_type: str) -> bytes:
    """Text in the charset that a media type names, else in UTF-8.

    Raises `UnencodableValue` for a text that the charset cannot write.
    """
    charset = parameter(media_type, "charset")
    if not charset:
        return text.encode()
    try:
        return text.encode(charset)
    except UnicodeEncodeError as fault:
        if charset.lower() in ("utf-8", "utf8"):
            raise
        odd = fault.object[fault.start]
        raise UnencodableValue((), f"must hold characters of {charset} only, not {odd!r}") from None


KINDS = frozenset(
    {
        "application/x-ndjson",
        "application/ndjson",
        "application/jsonl",
        "application/x-jsonlines",
        "application/jsonlines",
        "application/x-jsonl",
        "application/x-json-stream",
        "application/stream+json",
    }
)
"""The names under which JSON lines travel; https://jsonlines.org."""


def sequence_writer(kind: str) -> Callable[[list[Json]], bytes] | None:
    """What writes a sequence of values in a media type without parameters, None for one of single
    values. Records behind separators are those of https://www.rfc-editor.org/rfc/rfc7464."""
    if kind in KINDS:
        return lines
    return records if kind == "application/json-seq" or kind.endswith("+json-seq") else None


def lines(values: list[Json]) -> bytes:
    """Each value in a line of its own."""
    return b"".join(encode_json(value) + b"\n" for value in values)


def records(values: list[Json]) -> bytes:
    """Each value behind a record separator."""
    return b"".join(b"\x1e" + encode_json(value) + b"\n" for value in values)
