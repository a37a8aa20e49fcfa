"""What the last build of a project has made, so that the next one makes only what changed."""

from mcpgen.memory.codec import decoded, encoded
from mcpgen.memory.digests import Digests, digest, told
from mcpgen.memory.memory import FORGETFUL, Memory

__all__ = ["FORGETFUL", "Digests", "Memory", "decoded", "digest", "encoded", "told"]
