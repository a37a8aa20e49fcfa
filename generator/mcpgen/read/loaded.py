"""What both loaders return."""

from __future__ import annotations

from dataclasses import dataclass

from mcpgen.ir.source import Json


@dataclass(frozen=True, slots=True)
class Loaded:
    """A tree; wrapped, because None is a value too."""

    tree: Json
