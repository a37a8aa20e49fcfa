"""The companion of requirement files: `mcp.yaml` to `ir.companion`, with every finding at its place.

docs/openspec.md describes its keys.
"""

from mcpgen.openspec.companion.document import parse_companion

__all__ = ["parse_companion"]
