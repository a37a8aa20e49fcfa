"""Whether a few tools stand for all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from mcpgen.config import validators
from mcpgen.config.key_spec import KeySpec, KeyType, choice


class DiscoveryMode(StrEnum):
    """Whether clients are told of every tool, or of a search for them."""

    OFF = "off"
    ON = "on"


@dataclass(frozen=True, slots=True)
class DiscoveryConfig:
    """How clients find the tools. `pinned` are operations, by id or `GET /pets/{id}`, whose tools
    are listed beside the search."""

    mode: DiscoveryMode = DiscoveryMode.OFF
    pinned: tuple[str, ...] = ()


def read_discovery(values: Mapping[str, Any]) -> DiscoveryConfig:
    """How the keys let clients find the tools."""
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
