"""MCP server of the Pressroom API."""
