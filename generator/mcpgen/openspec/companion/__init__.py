"""Parses `mcp.yaml`, the companion of requirement files, with a position for every finding.


docs/openspec.md describes the keys.
"""

from mcpgen.openspec.companion.document import parse_companion

__all__ = ["parse_companion"]
