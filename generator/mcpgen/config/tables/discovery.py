"""Whether a few tools stand for all."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from mcpgen.config import rules
from mcpgen.config.key import Key, Kind, choice
from mcpgen.frozen import frozen


class DiscoveryMode(StrEnum):
    """Whether clients are told of every tool, or of a search for them."""

    OFF = "off"
    ON = "on"


@frozen
class Finding:
    """How clients find the tools. `pinned` are operations, by id or `GET /pets/{id}`, whose tools
    are listed beside the search."""

    mode: DiscoveryMode = DiscoveryMode.OFF
    pinned: tuple[str, ...] = ()


def finding(values: Mapping[str, Any]) -> Finding:
    """How the keys let clients find the tools."""
    return Finding(DiscoveryMode(values["discovery.mode"]), values["discovery.pinned"])


KEYS = (
    choice(
        "discovery.mode",
        "Whether a search and a few tools beside it stand for all tools in the list.",
        DiscoveryMode,
    ),
    Key(
        "discovery.pinned",
        Kind.TEXTS,
        (),
        "Operations whose tools are listed beside the search.",
        "an operationId or `GET /pets/{id}`, on one line",
        rules.is_line,
    ),
)
