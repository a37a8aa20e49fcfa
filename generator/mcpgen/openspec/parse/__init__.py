"""Parses requirement files to `Requirements`: a spec, a delta, or a spec with deltas applied."""

from mcpgen.openspec.parse.apply_delta_findings import MergedSpec, apply_deltas
from mcpgen.openspec.parse.parse import parse_requirements

__all__ = ["MergedSpec", "apply_deltas", "parse_requirements"]
