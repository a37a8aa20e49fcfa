"""mcpgen turns an API description into a finished MCP server, and checks any MCP server."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mcpgen.pipeline import build, check

__all__ = ["build", "check"]
__version__ = "0.3.0"


def __getattr__(name: str) -> object:
    """The public functions, loaded when they are first asked for: `mcpgen --help` needs neither."""
    if name in __all__:
        from mcpgen import pipeline

        return getattr(pipeline, name)
    raise AttributeError(f"module 'mcpgen' has no attribute {name!r}")
