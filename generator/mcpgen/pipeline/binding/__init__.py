"""`mcpgen bind`: the companion of requirements, begun or brought up to their text."""

from mcpgen.pipeline.binding.run import Bound, bind

__all__ = ["Bound", "bind"]
