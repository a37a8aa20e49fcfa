"""What both loaders return."""

from __future__ import annotations

from mcpgen.frozen_dataclass import frozen
from mcpgen.ir.source import Json, PositionOf


@frozen
class LoadedDocument:
    """A tree, which may be None, and where its values stand."""

    tree: Json
    position_of: PositionOf
