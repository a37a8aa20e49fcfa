"""`mcpgen bind`: the companion of requirements, begun or brought up to their text."""

from mcpgen.openspec.bind.bind import BindResult, bind

__all__ = ["BindResult", "bind"]
