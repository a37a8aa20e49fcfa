"""What harms models although it builds: one rule for each kind of finding, over the API and its tools."""

from mcpgen.lint.run import lint

__all__ = ["lint"]
