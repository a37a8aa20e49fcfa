"""MCP server of the Seed Bank API."""
