"""What a tool costs those who load it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from mcpgen.conformance.strict_json import Json, dumps

BYTES_PER_TOKEN = 4
"""Bytes of an English text or of a schema that make a token, about, with the tokenizers in use. Each
model has its own, so the number is an estimate by which tools can be compared."""


@dataclass(frozen=True, slots=True)
class Size:
    """The bytes of a tool as compact JSON, and about how many tokens these are."""

    bytes: int
    tokens: int


def size_of(tool: Mapping[str, Json]) -> Size:
    """The size of a tool as it is announced; nothing of one nested too deep to be written."""
    try:
        length = len(dumps(tool))
    except RecursionError:
        return Size(0, 0)
    return Size(length, -(-length // BYTES_PER_TOKEN))
