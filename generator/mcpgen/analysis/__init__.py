"""Analysis of a server's listing: sizes, hosts, size reductions, budgets, differences.

Pure functions over announced tools (the JSON of `tools/list`), so a description, a project, a
running server and a saved listing are analysed alike.
"""

from mcpgen.analysis.tool_listing import ToolListing

__all__ = ["ToolListing"]
