"""Registration of the server with registries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from mcpgen.config import validators
from mcpgen.config.key_spec import KeySpec, KeyType, choice, text, within
from mcpgen.config.validators import ValueRule


class RegistryFlow(StrEnum):
    """The registration flow of a running server: by server card, or the generic flow for agents."""

    NATIVE = "native"
    GENERIC = "generic"


@dataclass(frozen=True, slots=True)
class RegistryConfig:
    """`name`: the name in the official registry of MCP, `""` for a name derived from the server's
    address. `url`: the registry of agents that a running server registers with, `""` for none.
    `ttl`: the duration of a registration in seconds, 0 for as long as heartbeats are sent.
    `generic`: the flow for agents, always used with `ttl`."""

    name: str = ""
    url: str = ""
    ttl: int = 0
    generic: bool = False


def registry(values: Mapping[str, Any]) -> RegistryConfig:
    """The registration configured by the keys."""
    url = values["registry.url"].rstrip("/")
    ttl: int = values["registry.ttl_seconds"]
    generic = ttl > 0 or values["registry.flow"] == RegistryFlow.GENERIC
    return RegistryConfig(values["registry.name"], url, ttl, generic)


is_registry_name = ValueRule(pattern=r"[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+", shortest=3, longest=200)
"""A name that the official registry accepts."""


KEYS: tuple[KeySpec, ...] = (
    text(
        "registry.name",
        "Name in the official registry of MCP; the host of `endpoint.public_url` from behind, and the "
        "server's name, if empty.",
        "a namespace and a name, as `io.github.someone/weather`",
        is_registry_name,
    ),
    text(
        "registry.url",
        "The registry of agents that the running server registers with.",
        "an http or https URL without user, query and fragment",
        validators.is_base_url,
        "registry_url",
    ),
    choice(
        "registry.flow",
        "Whether it registers by its card, or as any agent, without the schemas of its tools.",
        RegistryFlow,
    ),
    KeySpec(
        "registry.ttl_seconds",
        KeyType.INTEGER,
        0,
        "How long the server is alive there unless it is renewed; 0 for heartbeats every 30 seconds.",
        "from 0 to 604800",
        within(0, 604_800),
    ),
)
