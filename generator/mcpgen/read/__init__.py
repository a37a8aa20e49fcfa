"""Reading: a path, or standard input, to the trees of a specification's files.

Nothing is interpreted here but what decides which files belong to the specification. Nothing is
ever fetched, and nothing outside the specification's folder is opened unless the caller allows it.
"""

from mcpgen.read.openspec import is_requirements, read_requirements
from mcpgen.read.reader import read

__all__ = ["is_requirements", "read", "read_requirements"]
