"""MCP server of the Tides API."""
