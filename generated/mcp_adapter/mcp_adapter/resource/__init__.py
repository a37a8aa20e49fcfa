"""The resource server of the example: an archive of records, which clients with a grant read over
HTTP.

The archive stands for the existing system behind an MCP adapter. `python -m mcp_adapter.resource`
serves the archive alone. The adapter starts the archive itself, unless a setting names another one.
"""
