"""The tool with documentation of the other tools."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from mcpgen.config import validators
from mcpgen.config.key_spec import KeySpec, KeyType, choice


class DocsMode(StrEnum):
    """The presence of a documentation tool."""

    OFF = "off"
    ON = "on"


@dataclass(frozen=True, slots=True)
class DocsConfig:
    """The mode and the name of the documentation tool."""

    mode: DocsMode = DocsMode.OFF
    name: str = "docs"


def documenting(values: Mapping[str, Any]) -> DocsConfig:
    """The documentation tool configured by the keys."""
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
