"""From requirement files to `Requirements`: a spec, a delta, or a spec with deltas applied."""

from mcpgen.parse.openspec.merged import Merged, merged
from mcpgen.parse.openspec.parse import parse_requirements

__all__ = ["Merged", "merged", "parse_requirements"]
