"""Media types: which one a body travels in, and what kind it is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import IntEnum

from mcpgen.ir.api import MediaType

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
    "application/x-ndjson",
    "application/ndjson",
    "application/jsonl",
    "application/jsonlines",
    "application/json-seq",
    "application/x-jsonlines",
    "application/pem-certificate-chain",
    "application/sdp",
}


class Media(IntEnum):
    """The kinds of body, the preferred ones first."""

    JSON = 0
    JSON_SUFFIX = 1
    FORM = 2
    MULTIPART = 3
    TEXT = 4
    BYTES = 5
    XML = 6
    ILLEGAL = 7


def media_kind(name: str) -> Media:
    """What kind of body a media type is."""
    if not _LEGAL.fullmatch(name):
        return Media.ILLEGAL
    plain = name.partition(";")[0].strip().lower()
    if plain in ("application/json", "*/*", "application/*", "text/json"):
        return Media.JSON
    if plain.endswith("+json"):
        return Media.JSON_SUFFIX
    if plain == "application/x-www-form-urlencoded":
        return Media.FORM
    if plain.startswith("multipart/"):
        return Media.MULTIPART
    if plain.endswith(("/xml", "+xml")):
        return Media.XML
    if plain.startswith("text/") or plain in _TEXTUAL or plain.endswith("+yaml"):
        return Media.TEXT
    return Media.BYTES


def preferred(media: Sequence[MediaType]) -> MediaType:
    """The representation a body is sent in; the document's order decides between equals.

    Of several JSON patches the merge patch is taken: it is the object itself.
    """
    return min(media, key=lambda one: (media_kind(one.name), "merge-patch" not in one.name))


def concrete(name: str) -> str:
    """The media type as a header value; a range such as `*/*` stands for JSON."""
    return "application/json" if "*" in name else name.strip()
