"""Who the server says it is."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Identity:
    """The name, version and instructions that clients are told."""

    name: str
    title: str
    version: str
    instructions: str = ""
