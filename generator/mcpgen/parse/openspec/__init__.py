"""From requirement files to `Requirements`: a spec, a delta, or a spec with deltas applied."""

from mcpgen.parse.openspec.apply_delta_findings import MergedSpec, apply_deltas
from mcpgen.parse.openspec.parse import parse_requirements

__all__ = ["MergedSpec", "apply_deltas", "parse_requirements"]
