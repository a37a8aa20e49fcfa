"""How many tokens a list of tools is for each family of models: an estimate, never a count.

No tokenizer is loaded. The bytes of compact JSON are divided by a ratio that was measured once over
the lists of tools that mcpgen makes of ten real descriptions (7 to 1,223 tools each).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ModelFamily:
    """A family of models. `ratio` is in bytes of compact JSON per token; `source` says where it
    comes from."""

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
"""Every family by its word, in order of the word."""


def estimate_tokens(size: int, family: str) -> int:
    """About how many tokens so many bytes are for a family, rounded up."""
    return math.ceil(size / FAMILIES[family].ratio)


def most_tokens(size: int) -> int:
    """The largest of the families' estimates: who plans with it is not surprised."""
    return max(estimate_tokens(size, family) for family in FAMILIES)
