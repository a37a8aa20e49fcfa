"""Whether there is a tool that documents the others."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from mcpgen.config import rules
from mcpgen.config.key import Key, Kind, choice
from mcpgen.frozen import frozen


class DocsMode(StrEnum):
    """Whether there is a tool that gives documentation on request."""

    OFF = "off"
    ON = "on"


@frozen
class Documenting:
    """What the tool that gives documentation is called."""

    mode: DocsMode = DocsMode.OFF
    name: str = "docs"


def documenting(values: Mapping[str, Any]) -> Documenting:
    """What the keys say of documentation."""
    return Documenting(DocsMode(values["docs.mode"]), values["docs.name"])


KEYS = (
    choice("docs.mode", "Whether there is a tool that documents the others.", DocsMode),
    Key(
        "docs.name",
        Kind.STRING,
        "docs",
        "Name of that tool.",
        "lower-case words joined by `_`, at most 40 characters",
        rules.is_tool_name,
    ),
)
