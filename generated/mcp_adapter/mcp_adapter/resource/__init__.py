"""The resource server of the example: an archive of records, read over HTTP by whoever holds a grant.

It stands for the system that an MCP adapter is put before. `python -m mcp_adapter.resource` serves it
alone; the adapter starts it itself where it is told of no other.
"""
