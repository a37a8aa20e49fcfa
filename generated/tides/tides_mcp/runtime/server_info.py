"""Who the server says it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class ServerInfo:
    """The name, version and instructions that clients are told; `toolsets` are the sets of tools
    that have endpoints of their own, with the instructions of each, `""` for the server's."""

    name: str
    title: str
    version: str
    instructions: str = ""
    toolsets: Mapping[str, str] = field(default_factory=dict)
