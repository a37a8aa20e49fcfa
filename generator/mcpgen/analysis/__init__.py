"""The tools of a server as those see them who load them: sizes, hosts, savings, budgets, differences.

Everything here is a pure function over announced tools, the JSON of `tools/list`; so a description,
a project, a running server and a saved list are looked at alike.
"""

from mcpgen.analysis.tool_listing import ToolListing

__all__ = ["ToolListing"]
