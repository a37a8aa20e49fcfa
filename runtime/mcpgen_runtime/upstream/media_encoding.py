"""Encodes one value as bytes of a media type, and sequences of JSON values."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable

from ..tool import Json
from .exchange import InvalidArguments
from .value_text import TOO_LARGE, request_json, scalar_value


class UnencodableValue(InvalidArguments):
    """A value in the body that cannot be encoded; `path` is the value's path from the body's root.

    `head` is set for a problem in the header of a multipart part: `("filename",)`, or `("headers",
    "X-Rate")`.
    """

    def __init__(self, path: tuple[str | int, ...], why: str, head: tuple[str, ...] = ()) -> None:
        super().__init__(f"{'.'.join(map(str, ('body', *path)))}: {why}")
        self.path = path
        self.why = why
        self.head = head


UNSPECIFIC = ("*/*", "application/*")
"""Media type ranges treated as JSON."""

_TOKEN = r"[!#$%&'*+.^_`|~0-9A-Za-z-]+"
_MEDIA_TYPE = re.compile(
    rf"{_TOKEN}/{_TOKEN}(?: *; *{_TOKEN}=(?:{_TOKEN}|\"[^\"\\\x00-\x1f\x7f-\uffff]*\"))*"
)


def media_essence(media_type: str) -> str:
    """The media type in lower case, without parameters."""
    return media_type.partition(";")[0].strip().lower()


def parameter(media_type: str, name: str) -> str:
    """A parameter of a media type, or `""`."""
    for pair in media_type.split(";")[1:]:
        key, _, value = pair.partition("=")
        if key.strip().lower() == name:
            return value.strip().strip('"')
    return ""


def is_content_type(text: str) -> bool:
    """True if the text is a valid `Content-Type`."""
    return _MEDIA_TYPE.fullmatch(text) is not None


def is_json(kind: str) -> bool:
    """True if a media type without parameters is JSON."""
    return kind in ("application/json", "text/json", *UNSPECIFIC) or kind.endswith("+json")


def is_xml(kind: str) -> bool:
    """True if a media type without parameters is XML."""
    return kind.endswith(("/xml", "+xml"))


def encode_json(value: Json) -> bytes:
    """Compact JSON; bytes become base64. Raises `UnencodableValue` for infinite numbers."""
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
    """Bytes unchanged; JSON for JSON media types, objects and arrays; otherwise text in the media
    type's charset."""
    if isinstance(value, bytes):
        return value
    if isinstance(value, dict | list) or (media_type and is_json(media_essence(media_type))):
        return encode_json(value)
    return encoded(scalar_value(value), media_type)


def encoded(text: str, media_type: str) -> bytes:
    """Text in the media type's charset, UTF-8 by default.

    Raises `UnencodableValue` for characters outside the charset.
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
"""Media types of JSON lines; https://jsonlines.org."""


def sequence_writer(kind: str) -> Callable[[list[Json]], bytes] | None:
    """The encoder for a sequence of values, None for media types of single values. JSON text
    sequences: https://www.rfc-editor.org/rfc/rfc7464."""
    if kind in KINDS:
        return lines
    return records if kind == "application/json-seq" or kind.endswith("+json-seq") else None


def lines(values: list[Json]) -> bytes:
    """The values as JSON, one per line."""
    return b"".join(encode_json(value) + b"\n" for value in values)


def records(values: list[Json]) -> bytes:
    """The values as JSON, each after a record separator."""
    return b"".join(b"\x1e" + encode_json(value) + b"\n" for value in values)
