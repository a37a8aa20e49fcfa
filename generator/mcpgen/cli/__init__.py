"""The command `mcpgen`: arguments in, text and exit code out."""

from mcpgen.cli.app import main

__all__ = ["main"]
