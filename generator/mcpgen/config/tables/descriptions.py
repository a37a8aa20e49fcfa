"""The descriptions and output schemas of tools."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from mcpgen.config.key_spec import KeySpec, KeyType, choice, switch, within


class OutputMode(StrEnum):
    """The announced part of a result's schema."""

    OFF = "off"
    NAMES = "names"
    SHALLOW = "shallow"
    FULL = "full"


class Detail(StrEnum):
    """The amount of detail in descriptions."""

    AUTO = "auto"
    RICH = "rich"
    LEAN = "lean"


class DestructiveScope(StrEnum):
    """The tools announced with `destructiveHint: true`."""

    WRITES = "writes"
    REMOVALS = "removals"


@dataclass(frozen=True, slots=True)
class DescriptionsConfig:
    """The detail of descriptions; `limit` is the maximal number of characters."""

    detail: Detail = Detail.AUTO
    limit: int = 1024
    titles: bool = True
    destructive: DestructiveScope = DestructiveScope.WRITES


def descriptions(values: Mapping[str, Any]) -> DescriptionsConfig:
    """The descriptions configured by the keys."""
    return DescriptionsConfig(
        detail=Detail(values["descriptions.detail"]),
        limit=values["descriptions.limit"],
        titles=values["descriptions.titles"],
        destructive=DestructiveScope(values["descriptions.destructive"]),
    )


KEYS = (
    choice(
        "output.schemas",
        "How much of a result's schema is announced to clients.",
        OutputMode,
    ),
    choice(
        "descriptions.detail",
        "How much is said of each tool; `auto` is `rich` up to 128 operations, `lean` beyond.",
        Detail,
    ),
    KeySpec(
        "descriptions.limit",
        KeyType.INTEGER,
        1024,
        "Characters of a tool's description; a longer one is cut at the end of a word.",
        "from 40 to 100000",
        within(40, 100_000),
    ),
    switch(
        "descriptions.titles",
        "Announce a title for every tool: where the document has no short title, the summary or the "
        "name in words.",
        True,
    ),
    choice(
        "descriptions.destructive",
        "The tools announced with `destructiveHint: true`: all that write, or only those that change "
        "or remove existing data.",
        DestructiveScope,
    ),
)
