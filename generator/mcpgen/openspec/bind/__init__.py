"""`mcpgen bind`: drafts the companion of requirements, or updates the companion to the current
text."""

from mcpgen.openspec.bind.bind import BindResult, bind

__all__ = ["BindResult", "bind"]
