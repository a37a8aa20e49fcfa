"""The official Python SDK 1.12 with FastMCP 1: `sdk1_fastmcp.py PORT`."""

import sys

import uvicorn
from mcp.server.fastmcp import FastMCP

server = FastMCP("peer")


@server.tool()
def add(a: int, b: int) -> int:
    """Adds two whole numbers."""
    return a + b


uvicorn.run(
    server.streamable_http_app(), host="127.0.0.1", port=int(sys.argv[1]), log_level="error"
)
