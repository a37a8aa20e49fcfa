"""Reading: a path, or standard input, to the trees of a specification's files.

Nothing is interpreted here but what decides which files belong to the specification. Nothing is
ever fetched, and nothing outside the specification's folder is opened unless the caller allows it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mcpgen.read.openspec import read_requirements
    from mcpgen.read.openspec_folder import is_requirements
    from mcpgen.read.reader import read

__all__ = ["is_requirements", "read", "read_requirements"]

_MODULES = {
    "is_requirements": "openspec_folder",
    "read": "reader",
    "read_requirements": "openspec",
}


def __getattr__(name: str) -> object:
    """The functions, loaded when they are first asked for: a build with nothing to do reads
    nothing."""
    if name in _MODULES:
        return getattr(import_module(f"mcpgen.read.{_MODULES[name]}"), name)
    raise AttributeError(f"module 'mcpgen.read' has no attribute {name!r}")
