# Copied by mcpgen from mcpgen-runtime; changes belong in hooks.py or mcpgen.toml.
"""Serves MCP over HTTP: the ASGI application, worker processes and middleware."""
