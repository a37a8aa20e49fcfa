"""Whether there is a tool that documents the others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from mcpgen.config import validators
from mcpgen.config.key_spec import KeySpec, KeyType, choice


class DocsMode(StrEnum):
    """Whether there is a tool that gives documentation on request."""

    OFF = "off"
    ON = "on"


@dataclass(frozen=True, slots=True)
class DocsConfig:
    """What the tool that gives documentation is called."""

    mode: DocsMode = DocsMode.OFF
    name: str = "docs"


def documenting(values: Mapping[str, Any]) -> DocsConfig:
    """What the keys say of documentation."""
    return DocsConfig(DocsMode(values["docs.mode"]), values["docs.name"])


KEYS = (
    choice("docs.mode", "Whether there is a tool that documents the others.", DocsMode),
    KeySpec(
        "docs.name",
        KeyType.STRING,
        "docs",
        "Name of that tool.",
        "lower-case words joined by `_`, at most 40 characters",
        validators.is_tool_name,
    ),
)
