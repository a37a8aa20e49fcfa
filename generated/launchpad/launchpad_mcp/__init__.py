"""MCP server of the Launchpad API."""
