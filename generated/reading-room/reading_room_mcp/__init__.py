"""MCP server of the Reading Room API."""
