"""The official Python SDK 2.x, MCPServer: `sdk2_mcpserver.py (stateless|stateful) (json|sse) PORT`."""

import sys

import uvicorn
from mcp.server.mcpserver import MCPServer

state, answers, port = sys.argv[1], sys.argv[2], int(sys.argv[3])
server = MCPServer("peer", version="1.0.0")


@server.tool()
def add(a: int, b: int) -> int:
    """Adds two whole numbers."""
    return a + b


app = server.streamable_http_app(
    stateless_http=state == "stateless", json_response=answers == "json"
)
uvicorn.run(app, host="127.0.0.1", port=port, log_level="error")
