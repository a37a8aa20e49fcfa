"""Serves MCP over HTTP: the ASGI application, its processes and what stands around a call."""
