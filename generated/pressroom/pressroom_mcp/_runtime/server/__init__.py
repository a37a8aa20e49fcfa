"""Serves MCP over HTTP: the ASGI application, worker processes and middleware."""
