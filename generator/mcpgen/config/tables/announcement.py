"""How much clients are told about each tool."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from mcpgen.config.key import Key, Kind, choice, within
from mcpgen.frozen import frozen


class OutputMode(StrEnum):
    """How much of a result's schema is announced."""

    OFF = "off"
    SHALLOW = "shallow"
    FULL = "full"


class Detail(StrEnum):
    """How much is said of each tool."""

    AUTO = "auto"
    RICH = "rich"
    LEAN = "lean"


@frozen
class Descriptions:
    """How much is said of each tool; `limit` are the characters of its description at most."""

    detail: Detail = Detail.AUTO
    limit: int = 1024


def descriptions(values: Mapping[str, Any]) -> Descriptions:
    """How much the keys let be said."""
    return Descriptions(Detail(values["descriptions.detail"]), values["descriptions.limit"])


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
    Key(
        "descriptions.limit",
        Kind.INTEGER,
        1024,
        "Characters of a tool's description; a longer one is cut at the end of a word.",
        "from 40 to 100000",
        within(40, 100_000),
    ),
)
