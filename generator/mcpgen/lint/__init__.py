"""What harms models although it builds: one rule for each kind of finding, over the API and its tools."""

from mcpgen.lint.run import lint
from mcpgen.lint.steps import lint_steps

__all__ = ["lint", "lint_steps"]
