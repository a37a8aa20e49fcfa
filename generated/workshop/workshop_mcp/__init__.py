"""MCP server of the Workshop API."""
