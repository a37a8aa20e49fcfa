"""Discovery: a few tools in place of the full list."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from mcpgen.config import validators
from mcpgen.config.key_spec import KeySpec, KeyType, choice


class DiscoveryMode(StrEnum):
    """The tools listed to clients: every tool, or a search for tools."""

    OFF = "off"
    ON = "on"


@dataclass(frozen=True, slots=True)
class DiscoveryConfig:
    """The discovery mode. `pinned` are operations, by id or `GET /pets/{id}`, with tools listed
    besides the search."""

    mode: DiscoveryMode = DiscoveryMode.OFF
    pinned: tuple[str, ...] = ()


def read_discovery(values: Mapping[str, Any]) -> DiscoveryConfig:
    """The discovery configured by the keys."""
    return DiscoveryConfig(DiscoveryMode(values["discovery.mode"]), values["discovery.pinned"])


KEYS = (
    choice(
        "discovery.mode",
        "Whether a search and a few tools beside it stand for all tools in the list.",
        DiscoveryMode,
    ),
    KeySpec(
        "discovery.pinned",
        KeyType.TEXTS,
        (),
        "Operations whose tools are listed beside the search.",
        "an operationId or `GET /pets/{id}`, on one line",
        validators.is_line,
    ),
)
