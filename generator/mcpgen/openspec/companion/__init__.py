"""Parses `mcp.yaml`, the companion of requirement files, with a position for every finding.


docs/openspec.md describes the keys.
"""

from mcpgen.openspec.companion.document import parse_companion
from mcpgen.openspec.companion.json_schema import (
    SCHEMA_FILE,
    SCHEMA_LINE,
    companion_schema,
    schema_files,
)

__all__ = ["SCHEMA_FILE", "SCHEMA_LINE", "companion_schema", "parse_companion", "schema_files"]
