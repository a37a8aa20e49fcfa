"""FastMCP 4 in its default configuration: `fastmcp4.py PORT`."""

import sys

import uvicorn
from fastmcp import FastMCP

server = FastMCP("peer", version="1.0.0")


@server.tool
def add(a: int, b: int) -> int:
    """Adds two whole numbers."""
    return a + b


uvicorn.run(
    server.http_app(path="/mcp"), host="127.0.0.1", port=int(sys.argv[1]), log_level="error"
)
