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
    """A model family. `word`: the family's name in options and JSON. `ratio`: bytes of compact JSON
    per token. `source`: origin of the ratio."""

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
"""Model families by `word`, in alphabetical order."""


def estimate_tokens(size: int, family: str) -> int:
    """Returns the estimated tokens of `size` bytes of compact JSON for a family, rounded up."""
    return math.ceil(size / FAMILIES[family].ratio)


def max_estimated_tokens(size: int) -> int:
    """Returns the largest estimate of all families, in tokens."""
    return max(estimate_tokens(size, family) for family in FAMILIES)


@dataclass(frozen=True, slots=True)
class ToolSize:
    """Size of one tool in bytes of compact JSON: total, input `schema`, `output` schema and
    description `text`. `arguments` is their number, not a size."""

    name: str
    bytes: int
    arguments: int
    schema: int
    output: int
    text: int

    @property
    def tokens(self) -> int:
        """Largest token estimate of all families."""
        return max_estimated_tokens(self.bytes)


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


def bytes_of_list(tools: Iterable[Announced]) -> int:
    """Returns the bytes of a whole list as compact JSON, brackets and commas included."""
    return bytes_of_json_array(size_of(tool).bytes for tool in tools)


def bytes_of_json_array(sizes: Iterable[int]) -> int:
    """Returns the bytes of a JSON array with elements of these sizes."""
    values = [*sizes]
    # Commas between the elements, and two brackets.
    return sum(values) + max(len(values) - 1, 0) + 2


def _member_size(tool: Announced, key: str) -> int:
    """Bytes of a member's value. `size_of` takes only objects, so the value is wrapped under an
    empty key."""
    return size_of({"": tool[key]}).bytes - len('{"":}') if key in tool else 0
