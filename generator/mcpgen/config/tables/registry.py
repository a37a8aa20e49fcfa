"""What registries are told of the server."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mcpgen.config.key import Key, text

_NAME = re.compile(r"[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+")


@dataclass(frozen=True, slots=True)
class Registry:
    """The name in the official registry of MCP, `""` for one made of the server's address."""

    name: str = ""


def registry(values: Mapping[str, Any]) -> Registry:
    """What the keys say about registries."""
    return Registry(values["registry.name"])


def is_registry_name(name: str) -> bool:
    """Whether the official registry takes the text as a name."""
    return 3 <= len(name) <= 200 and _NAME.fullmatch(name) is not None


KEYS: tuple[Key, ...] = (
    text(
        "registry.name",
        "Name in the official registry of MCP; the host of `endpoint.public_url` from behind, and the "
        "server's name, if empty.",
        "a namespace and a name, as `io.github.someone/weather`",
        is_registry_name,
    ),
)
