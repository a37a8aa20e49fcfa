"""A capability of a server: requirements with their companion."""

from __future__ import annotations

from dataclasses import dataclass

from mcpgen.openspec.model.companion import Companion
from mcpgen.openspec.model.requirements import Requirements


@dataclass(frozen=True, slots=True)
class Capability:
    """Requirements and companion; `companion` is None without a file `mcp.yaml`."""

    requirements: Requirements
    companion: Companion | None = None

    @property
    def name(self) -> str:
        """The path below `specs/`, or the name of the file or folder."""
        return self.requirements.capability
