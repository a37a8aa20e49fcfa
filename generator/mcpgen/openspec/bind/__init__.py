"""`mcpgen bind`: drafts or updates the companion of requirements."""

from mcpgen.openspec.bind.bind import BindResult, bind

__all__ = ["BindResult", "bind"]
