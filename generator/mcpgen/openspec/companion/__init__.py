"""Parses `mcp.yaml`, the companion of requirement files, with a position for every finding.


docs/openspec.md describes the keys.
"""

from mcpgen.openspec.companion.document import parse_companion
from mcpgen.openspec.companion.json_schema import companion_schema

__all__ = ["companion_schema", "parse_companion"]
