"""How a body is written, by media type."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from secrets import token_hex
from urllib.parse import unquote

from . import encode, styles
from .tool import Body, Json

Fields = Mapping[str, tuple[str, bool]]
"""Style and explode of the fields of a form that have their own."""


def write(body: Body, value: Json, fields: Fields) -> tuple[str, bytes]:
    """The content type and the bytes of a body."""
    essence = body.media_type.partition(";")[0].strip().lower()
    if essence in ("*/*", "application/*"):
        return "application/json", _json(value)
    if essence in ("application/json", "text/json") or essence.endswith("+json"):
        return body.media_type, _json(value)
    if essence == "application/x-www-form-urlencoded":
        return body.media_type, _form(value, fields)
    if essence.startswith("multipart/"):
        return _multipart(essence, value, body.part_types, fields)
    return body.media_type, _plain(value)


def _json(value: Json) -> bytes:
    """Compact JSON; bytes, which JSON has not, as base64."""
    return json.dumps(
        value, ensure_ascii=False, separators=(",", ":"), allow_nan=False, default=_base64
    ).encode()


def _base64(value: bytes) -> str:
    return base64.b64encode(value).decode()


def _plain(value: Json) -> bytes:
    """Bytes and text as they are, anything else as JSON."""
    if isinstance(value, bytes):
        return value
    return value.encode() if isinstance(value, str) else _json(value)


def _form(value: Json, fields: Fields) -> bytes:
    """`name=value` pairs; a field without a style of its own repeats for an array and holds JSON
    for an object."""
    if not isinstance(value, dict):
        return _plain(value)
    pairs: list[str] = []
    for name, field in value.items():
        style, explode = fields.get(name, ("form", True))
        if isinstance(field, dict) and name not in fields:
            field = encode.json_text(field)
        pairs += (
            f"{key}={text}"
            for key, text in styles.query_pairs(name, field, style, explode, encode.for_query)
        )
    return "&".join(pairs).encode()


def _multipart(
    essence: str, value: Json, part_types: Mapping[str, str], fields: Fields
) -> tuple[str, bytes]:
    """The parts in order, an array as one part for each item and an object as JSON, unless they
    have a style of their own; bytes travel as a file."""
    boundary = token_hex(16)
    lines: list[bytes] = []
    for name, field in value.items() if isinstance(value, dict) else [("body", value)]:
        if name in fields and _has_style(field):
            for key, text in styles.query_pairs(name, field, *fields[name], encode.for_query):
                lines += _part(unquote(key), unquote(text), "", boundary)
            continue
        for item in field if isinstance(field, list) else [field]:
            lines += _part(name, item, part_types.get(name, ""), boundary)
    lines += [f"--{boundary}--".encode(), b""]
    return f"{essence}; boundary={boundary}", b"\r\n".join(lines)


def _has_style(value: Json) -> bool:
    """Whether a style can write the value: files have none."""
    if isinstance(value, list):
        return not any(isinstance(item, bytes) for item in value)
    return isinstance(value, dict)


def _part(name: str, value: Json, media_type: str, boundary: str) -> list[bytes]:
    quoted = name.translate(_QUOTED)
    disposition = f'Content-Disposition: form-data; name="{quoted}"'
    if isinstance(value, bytes):
        disposition += f'; filename="{quoted}"'
        media_type = media_type or "application/octet-stream"
    elif isinstance(value, dict | list):
        media_type = media_type or "application/json"
    head = [f"--{boundary}", disposition]
    if media_type and "\r" not in media_type and "\n" not in media_type:
        head.append(f"Content-Type: {media_type.partition(',')[0].strip()}")
    content = _plain(value) if isinstance(value, bytes | dict) else encode.scalar(value).encode()
    return ["\r\n".join(head).encode(), b"", content]


_QUOTED = {ord('"'): "%22", ord("\r"): "%0D", ord("\n"): "%0A"}
