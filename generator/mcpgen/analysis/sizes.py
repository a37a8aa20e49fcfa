"""Size of tools in bytes of compact JSON, and estimated tokens per model family.

No tokenizer is loaded: bytes are divided by a ratio measured once over the listings that mcpgen
makes of ten real descriptions (7 to 1,223 tools each).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from mcpgen.analysis import Announced
from mcpgen.conformance.sizes import size_of


@dataclass(frozen=True, slots=True)
class ModelFamily:
    """A model family. `ratio`: bytes of compact JSON per token. `source`: origin of the ratio."""

    word: str
    title: str
    ratio: float
    source: str


_TABLE = (
    ModelFamily(
        "claude",
        "Claude",
        3.8,
        "derived: Anthropic's rule of thumb is 3.5 English characters a token where OpenAI's is 4, "
        "so 3.5/4 of the ratio measured for OpenAI; the tokenizer is not public",
    ),
    ModelFamily(
        "gemini",
        "Gemini",
        4.4,
        "derived: Google's rule of thumb is 4 characters a token, as OpenAI's is, so the ratio "
        "measured for OpenAI; not measured",
    ),
    ModelFamily(
        "openai",
        "OpenAI",
        4.4,
        "measured with o200k_base over ten lists of tools: 3.7 to 4.7, median 4.4 "
        "(cl100k_base: 3.7 to 4.8)",
    ),
)

FAMILIES: Mapping[str, ModelFamily] = {family.word: family for family in _TABLE}
"""Families by word, sorted."""


def estimate_tokens(size: int, family: str) -> int:
    """About how many tokens so many bytes are for a family, rounded up."""
    return math.ceil(size / FAMILIES[family].ratio)


def most_tokens(size: int) -> int:
    """Returns the largest estimate of all families, in tokens."""
    return max(estimate_tokens(size, family) for family in FAMILIES)


@dataclass(frozen=True, slots=True)
class ToolSize:
    """Size of one tool in bytes of compact JSON: total, input `schema`, `output` schema and
    description `text`."""

    name: str
    bytes: int
    arguments: int
    schema: int
    output: int
    text: int

    @property
    def tokens(self) -> int:
        """Largest token estimate of all families."""
        return most_tokens(self.bytes)


def tool_size(tool: Announced) -> ToolSize:
    """Returns the size of one announced tool."""
    schema = tool.get("inputSchema")
    properties = schema.get("properties") if isinstance(schema, dict) else None
    return ToolSize(
        name=str(tool["name"]),
        bytes=size_of(tool).bytes,
        arguments=len(properties) if isinstance(properties, dict) else 0,
        schema=_member_size(tool, "inputSchema"),
        output=_member_size(tool, "outputSchema"),
        text=_member_size(tool, "description"),
    )


def list_bytes(tools: Iterable[Announced]) -> int:
    """The bytes of a whole list as compact JSON, brackets and commas included."""
    sizes = [size_of(tool).bytes for tool in tools]
    return list_size(sizes)


def list_size(sizes: Iterable[int]) -> int:
    """Returns the bytes of a JSON array with elements of these sizes."""
    values = [*sizes]
    return sum(values) + max(len(values) - 1, 0) + 2


def _member_size(tool: Announced, key: str) -> int:
    return size_of({"": tool[key]}).bytes - len('{"":}') if key in tool else 0
