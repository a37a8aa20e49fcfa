"""The runtime of MCP servers that mcpgen generates."""
