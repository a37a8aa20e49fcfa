"""MCP server of the Touchstone."""
