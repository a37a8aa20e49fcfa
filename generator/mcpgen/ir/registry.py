"""Which registries a server is told to, and as what: what `lower` decides and `emit` writes down."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RegistrySpec:
    """`name` is what the official registry of MCP calls the server, `""` where nobody has said so. `url` is
    the registry of agents that a running server registers with, `""` for none. It is registered by its
    card or, if `generic`, as any agent; with a `ttl` in seconds, which is for agents, it is ephemeral there,
    otherwise it sends heartbeats."""

    name: str = ""
    url: str = ""
    ttl: int = 0
    generic: bool = False
