"""`mcpgen bind`: the companion of requirements, begun or brought up to their text."""

from mcpgen.pipeline.companion.bind import BindResult, bind

__all__ = ["BindResult", "bind"]
