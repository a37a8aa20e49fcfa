"""What a registry knows: agents, what they can do, and where they are reached."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

GRACE = 2.5
"""How many intervals an endpoint counts as alive after a heartbeat: one may be lost, and one late."""

INTERVAL = 30
"""Seconds between the heartbeats of a server that was registered by its card."""

MCP, HTTP = "MCP", "Http"

Card = dict[str, Any]
"""The card of an MCP server, as JSON."""


class Liveness(StrEnum):
    """How an endpoint stays alive: by heartbeats while its process runs, or by being renewed."""

    PERSISTENT = "Persistent"
    EPHEMERAL = "Ephemeral"


@dataclass(frozen=True)
class Capability:
    """One thing an agent can do."""

    name: str
    description: str = ""
    tags: tuple[str, ...] = ()


@dataclass(frozen=True)
class Endpoint:
    """Where an agent is reached. `seconds` are those between heartbeats, or those to live. `card` is
    what was registered of an MCP server, None where nobody has given one."""

    id: str
    name: str
    transport: str
    protocol: str
    address: str
    liveness: Liveness
    seconds: int
    card: Card | None = None

    @property
    def lasts(self) -> float:
        """Seconds for which a sign of life counts."""
        return self.seconds * (GRACE if self.liveness is Liveness.PERSISTENT else 1)

    @property
    def is_mcp(self) -> bool:
        """Whether an MCP server is reached there over HTTP."""
        return (self.protocol, self.transport) == (MCP, HTTP)


@dataclass(frozen=True)
class Agent:
    """Whoever was registered."""

    id: str
    name: str
    description: str
    capabilities: tuple[Capability, ...]
    endpoints: tuple[Endpoint, ...]

    @property
    def mcp(self) -> Endpoint | None:
        """The first endpoint of an MCP server, None for an agent that is none."""
        return next((each for each in self.endpoints if each.is_mcp), None)


@dataclass(frozen=True)
class Sought:
    """What somebody looks for; `""` and `()` stand for anything."""

    name: str = ""
    capability: str = ""
    tags: tuple[str, ...] = ()
    protocol: str = ""
    transport: str = ""
    live: bool = True
    page: int = 1
    page_size: int = 20
