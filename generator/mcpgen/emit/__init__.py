"""The stage `emit`: a `Server` becomes the files of a project, in memory."""

from mcpgen.emit.emit import emit

__all__ = ["emit"]
