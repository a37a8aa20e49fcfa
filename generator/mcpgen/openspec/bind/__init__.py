"""`mcpgen bind`: drafts or updates the companion of requirements."""

from mcpgen.openspec.bind.bind import BindResult, bind, bind_all
from mcpgen.openspec.companion import companion_schema, schema_files

__all__ = ["BindResult", "bind", "bind_all", "companion_schema", "schema_files"]
