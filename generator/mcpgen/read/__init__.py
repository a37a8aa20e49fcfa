"""Reads a specification: from a path or standard input to the trees of all its files.

The content is interpreted only as far as needed to find the files. URLs are fetched only from hosts
that the user allows, and files outside the specification's folder are opened only if the caller
widens `root`.
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
    """Imports a function's module on first use, since a build without changes reads no
    specification."""
    if name in _MODULES:
        return getattr(import_module(f"mcpgen.read.{_MODULES[name]}"), name)
    raise AttributeError(f"module 'mcpgen.read' has no attribute {name!r}")
