"""How much the tools and their answers may weigh."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from mcpgen.config.key_spec import KeySpec, KeyType, within

MODELS = ("claude", "gemini", "openai")
"""The families of models for which tokens are estimated."""

LARGEST = 1_000_000_000
_UP_TO = f"from 0 to {LARGEST}, where 0 sets no budget"

MANY_TOOLS = 40
"""Tools among which models still choose well: `max_tools_default` of the profile `universal`, and the
one number of it that a list as a whole is measured by."""

LEAST_RESULT = 1024
"""Bytes below which hardly an answer would come whole."""


@dataclass(frozen=True, slots=True)
class BudgetsConfig:
    """The limits that somebody has set; 0 where nobody has.

    `tools_list_bytes` and `tool_bytes` are bytes of compact JSON; `result_bytes` those of an answer of
    the API; `tokens` are estimates by family of models.
    """

    tools: int = 0
    tools_list_bytes: int = 0
    tool_bytes: int = 0
    result_bytes: int = 0
    tokens: Mapping[str, int] = field(default_factory=dict)

    @property
    def limits_tools(self) -> bool:
        """Whether one of the limits is about the tools, not about their answers."""
        return bool(self.tools or self.tools_list_bytes or self.tool_bytes or self.tokens)


def budgets(values: Mapping[str, Any]) -> BudgetsConfig:
    """The limits that the keys set."""
    return BudgetsConfig(
        values["budgets.tools"],
        values["budgets.tools_list_bytes"],
        values["budgets.tool_bytes"],
        values["budgets.result_bytes"],
        {model: most for model in MODELS if (most := values[f"budgets.tokens.{model}"])},
    )


def _budget(path: str, meaning: str) -> KeySpec:
    return KeySpec(f"budgets.{path}", KeyType.INTEGER, 0, meaning, _UP_TO, within(0, LARGEST))


KEYS = (
    _budget("tools", "How many tools there may be; more than 40 only warn if it is 0."),
    _budget("tools_list_bytes", "Bytes of the list of tools, as compact JSON."),
    _budget("tool_bytes", "Bytes of each tool, as compact JSON."),
    KeySpec(
        "budgets.result_bytes",
        KeyType.INTEGER,
        0,
        "Bytes of an answer of the API that are read; a mebibyte if it is 0.",
        f"from {LEAST_RESULT} to {LARGEST}, or 0 for no budget",
        lambda number: number == 0 or LEAST_RESULT <= number <= LARGEST,
    ),
    *(
        _budget(f"tokens.{model}", f"Tokens of the list of tools for {title} models, estimated.")
        for model, title in zip(MODELS, ("Claude", "Gemini", "OpenAI"), strict=True)
    ),
)
