"""MCP server of the MCP adapter."""
