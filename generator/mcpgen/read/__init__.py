"""Reading: a path, or standard input, to the trees of a specification's files.

Nothing is interpreted here but what decides which files belong to the specification. Nothing is
ever fetched, and nothing outside the specification's folder is opened unless the caller allows it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mcpgen.read.reader import read

__all__ = ["read"]


def __getattr__(name: str) -> object:
    """`read`, imported on first use: a build with nothing to do reads nothing."""
    if name == "read":
        return import_module("mcpgen.read.reader").read
    raise AttributeError(f"module 'mcpgen.read' has no attribute {name!r}")
