"""Sequences of JSON values: one in a line, or one behind each record separator."""

from __future__ import annotations

from collections.abc import Callable

from .media_encoding import encode_json
from .tool import Json

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
