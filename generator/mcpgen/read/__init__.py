"""Reads a specification: from a path or standard input to the trees of all its files.

The content is interpreted only as far as needed to find the files. URLs are fetched only from hosts
that the user allows, and files outside the specification's folder are opened only if the caller
widens `root`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mcpgen.read.reader import read

__all__ = ["read"]


def __getattr__(name: str) -> object:
    """Imports `read` on first use, since a build without changes reads no specification."""
    if name == "read":
        return import_module("mcpgen.read.reader").read
    raise AttributeError(f"module 'mcpgen.read' has no attribute {name!r}")
