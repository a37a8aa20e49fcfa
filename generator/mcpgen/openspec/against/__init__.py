"""`mcpgen scenarios --against`: performs scenarios against a running MCP server of any author."""
