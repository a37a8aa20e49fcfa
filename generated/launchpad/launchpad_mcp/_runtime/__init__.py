# Copied by mcpgen from mcpgen-runtime; changes belong in hooks.py or mcpgen.toml.
"""The runtime of MCP servers that mcpgen generates."""
