"""What both loaders return."""

from __future__ import annotations

from dataclasses import dataclass

from mcpgen.ir.source import Json, PositionOf


@dataclass(frozen=True, slots=True)
class LoadedDocument:
    """A tree, which may be None, and where its values stand."""

    tree: Json
    position_of: PositionOf
