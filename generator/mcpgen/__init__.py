"""mcpgen turns an API description into a finished MCP server, and checks any MCP server."""

__version__ = "0.1.0"
