"""How much clients are told about each tool."""

from __future__ import annotations

from enum import StrEnum

from mcpgen.config.key import Key, Kind, choice, within


class OutputMode(StrEnum):
    """How much of a result's schema is announced."""

    OFF = "off"
    SHALLOW = "shallow"
    FULL = "full"


KEYS = (
    choice(
        "output.schemas",
        "How much of a result's schema is announced to clients.",
        OutputMode,
    ),
    Key(
        "descriptions.limit",
        Kind.INTEGER,
        1024,
        "Characters of a tool's description; a longer one is cut at the end of a sentence.",
        "from 40 to 100000",
        within(40, 100_000),
    ),
)
