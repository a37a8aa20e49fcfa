"""The same tools as FastMCP makes them from a description: `fastmcp_tools.py PORT TOOLS UPSTREAM`.

Runs in FastMCP's own environment, and as its documentation does it.
"""

import sys

import httpx2
import uvicorn
from catalogue import GREETING, TRIVIAL, description
from fastmcp import FastMCP

port, count, upstream = sys.argv[1:]
client = httpx2.AsyncClient(base_url=upstream)
spec = description(int(count))
del spec["paths"][f"/{TRIVIAL}"]
server = FastMCP.from_openapi(openapi_spec=spec, client=client, name="measured")


@server.tool(name=TRIVIAL)
def greeted(word_0: str, word_1: str = "") -> str:
    """Answers without asking anybody."""
    return GREETING


app = server.http_app(path="/mcp", stateless_http=True, json_response=True)
uvicorn.run(app, host="127.0.0.1", port=int(port), log_level="error", access_log=False)
