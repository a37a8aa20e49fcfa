"""`mcpgen bind`: drafts or updates the companion of requirements."""

from mcpgen.openspec.bind.bind import BindResult, bind, bind_all

__all__ = ["BindResult", "bind", "bind_all"]
