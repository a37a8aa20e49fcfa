"""Size budgets of tools and answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from mcpgen.config.key_spec import KeySpec, KeyType, within
from mcpgen.config.validators import ValueRule

MODELS = ("claude", "gemini", "openai")
"""The model families with token estimates."""

LARGEST = 1_000_000_000
_UP_TO = f"from 0 to {LARGEST}, where 0 sets no budget"

MANY_TOOLS = 40
"""The number of tools up to which models still choose well: `max_tools_default` of the profile
`universal`, the only number of the profile about the whole list."""

LEAST_RESULT = 1024
"""The smallest limit in bytes; below, almost no answer would fit."""


@dataclass(frozen=True, slots=True)
class BudgetsConfig:
    """The configured limits; 0 for no limit.

    `tools_list_bytes` and `tool_bytes` are bytes of compact JSON; `result_bytes` are bytes of an
    answer of the API; `tokens` are estimates by model family.
    """

    tools: int = 0
    tools_list_bytes: int = 0
    tool_bytes: int = 0
    result_bytes: int = 0
    tokens: Mapping[str, int] = field(default_factory=dict)

    @property
    def limits_tools(self) -> bool:
        """True if a limit concerns the tools, not only the answers."""
        return bool(self.tools or self.tools_list_bytes or self.tool_bytes or self.tokens)


def budgets(values: Mapping[str, Any]) -> BudgetsConfig:
    """The limits configured by the keys."""
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
        ValueRule(minimum=LEAST_RESULT, maximum=LARGEST, unset=0),
        variable="result_bytes",
    ),
    *(
        _budget(f"tokens.{model}", f"Tokens of the list of tools for {title} models, estimated.")
        for model, title in zip(MODELS, ("Claude", "Gemini", "OpenAI"), strict=True)
    ),
)
