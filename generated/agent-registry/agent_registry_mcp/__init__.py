"""MCP server of the Agent Registry API."""
