"""The size of a tool."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from mcpgen.conformance.strict_json import Json, dumps

BYTES_PER_TOKEN = 4
"""Average bytes per token of English text and JSON Schema with current tokenizers. Tokenizers
differ, so token counts are estimates for comparing tools.
"""


@dataclass(frozen=True, slots=True)
class Size:
    """The size of a tool: bytes of compact JSON, and estimated tokens."""

    bytes: int
    tokens: int


def size_of(tool: Mapping[str, Json]) -> Size:
    """The size of an announced tool; zero for JSON nested too deep to encode.

    Example: `size_of({"name": "add"})` is `Size(bytes=14, tokens=4)`.
    """
    try:
        length = len(dumps(tool))
    except RecursionError:
        return Size(0, 0)
    return Size(length, -(-length // BYTES_PER_TOKEN))
