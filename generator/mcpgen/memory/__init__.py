"""What the last build of a project has made, so that the next one makes only what changed."""

from mcpgen.memory.codec import decoded, encoded
from mcpgen.memory.digests import Digests, digest
from mcpgen.memory.memory import FEW, FORGETFUL, Memory

__all__ = ["FEW", "FORGETFUL", "Digests", "Memory", "decoded", "digest", "encoded"]
