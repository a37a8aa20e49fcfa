"""Kinds of media types, and the preferred one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import IntEnum
from functools import lru_cache

from mcpgen.ir.api import MediaType
from mcpgen.ir.source import Json

_LEGAL = re.compile(
    r"[\w!#$&^.+*-]+/[\w!#$&^.+*-]+(?:\s*;\s*[\w!#$&^.+-]+=(?:[\w!#$&^.+-]+|\"[\w ./:-]*\"))*"
)
_TEXTUAL = {
    "application/yaml",
    "application/x-yaml",
    "application/graphql",
    "application/jwt",
    "application/javascript",
    "application/sql",
    "application/toml",
    "application/pem-certificate-chain",
    "application/sdp",
}
_LINES = {
    "application/x-ndjson",
    "application/ndjson",
    "application/jsonl",
    "application/x-jsonl",
    "application/jsonlines",
    "application/x-jsonlines",
    "application/x-json-stream",
    "application/stream+json",
    "application/json-seq",
}


class Media(IntEnum):
    """Kinds of bodies, in order of preference."""

    JSON = 0
    JSON_SUFFIX = 1
    FORM = 2
    MULTIPART = 3
    LINES = 4
    XML = 5
    TEXT = 6
    BYTES = 7
    ILLEGAL = 8


@lru_cache(maxsize=1_000)
def media_kind(name: str) -> Media:
    """Returns the kind of a media type: `application/merge-patch+json` is `JSON_SUFFIX`."""
    if not _LEGAL.fullmatch(name):
        return Media.ILLEGAL
    plain = name.partition(";")[0].strip().lower()
    if plain in ("application/json", "*/*", "application/*", "text/json"):
        return Media.JSON
    if plain in _LINES or plain.endswith("+json-seq"):
        return Media.LINES
    if plain.endswith("+json"):
        return Media.JSON_SUFFIX
    if plain == "application/x-www-form-urlencoded":
        return Media.FORM
    if plain.startswith("multipart/"):
        return Media.MULTIPART
    if not _is_writable(name):
        return Media.BYTES
    if plain.endswith(("/xml", "+xml")):
        return Media.XML
    if plain.startswith("text/") or plain in _TEXTUAL or plain.endswith("+yaml"):
        return Media.TEXT
    return Media.BYTES


def _is_writable(name: str) -> bool:
    """True if Python can encode the charset of a media type."""
    charset = next(
        (
            value.strip().strip('"')
            for key, _, value in (pair.partition("=") for pair in name.split(";")[1:])
            if key.strip().lower() == "charset"
        ),
        "utf-8",
    )
    try:
        "a".encode(charset)
    except LookupError:
        return False
    return True


def preferred_media(media: Sequence[MediaType], *, with_files: bool = False) -> MediaType:
    """Rule "several media types": JSON, then `+json`, form, multipart, text, bytes; ties by
    document order.

    Of several JSON patches the merge patch wins: its body is the object itself. `with_files`:
    multipart goes before form, which would write files as text.
    """

    def rank(media_type: MediaType) -> tuple[bool, Media, bool]:
        kind = media_kind(media_type.name)
        return (with_files and kind is Media.FORM, kind, "merge-patch" not in media_type.name)

    return min(media, key=rank)


_RANGE_DEFAULTS = {
    "*/*": "application/json",
    "application/*": "application/json",
    "text/*": "text/plain",
    "multipart/*": "multipart/form-data",
}
"""Media types sent for ranges."""


def header_value(name: str) -> str:
    """Returns the media type as a header value: `*/*` becomes `application/json`.

    A range of bytes (`image/*`) stays; each call names the type.
    """
    return _RANGE_DEFAULTS.get(name.partition(";")[0].strip().lower(), name.strip())


def is_range(name: str) -> bool:
    """True for a range such as `image/*`."""
    return "*" in name.partition(";")[0]


_SYNTAX = re.compile(r"[\\^$.*+?()\[\]{}|]")
"""Characters with a meaning in ECMA-262 patterns. `re.escape` also escapes `-` and spaces, which
ECMA-262 forbids in patterns with the flag `u`."""


def escape_pattern(text: str) -> str:
    """Returns the pattern of exactly this text, in the dialect of JSON Schema (ECMA-262).

    Example: `escape_pattern("image/svg-x+xml")` gives `'image/svg-x\\\\+xml'`.
    """
    return _SYNTAX.sub(r"\\\g<0>", text)


def range_schema(name: str) -> dict[str, Json]:
    """Returns the announced schema of a content type within a range such as `image/*`: a `string`
    with a `pattern`."""
    kind = name.partition("/")[0].strip().lower()
    return {"type": "string", "pattern": f"^{escape_pattern(kind)}/[A-Za-z0-9][A-Za-z0-9.+_-]*$"}
