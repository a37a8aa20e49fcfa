"""The stage `emit`: a `Server` becomes the files of a project, in memory."""

from mcpgen.emit.stage import emit

__all__ = ["emit"]
