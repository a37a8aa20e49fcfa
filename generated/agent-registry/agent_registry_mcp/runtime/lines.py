"""Sequences of JSON values: one in a line, or one behind each record separator."""

from __future__ import annotations

from .content import compact
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


def is_sequence(kind: str) -> bool:
    """Whether a media type holds records behind separators; https://www.rfc-editor.org/rfc/rfc7464."""
    return kind == "application/json-seq" or kind.endswith("+json-seq")


def lines(values: list[Json]) -> bytes:
    """Each value in a line of its own."""
    return b"".join(compact(value) + b"\n" for value in values)


def records(values: list[Json]) -> bytes:
    """Each value behind a record separator."""
    return b"".join(b"\x1e" + compact(value) + b"\n" for value in values)
