"""A server that FastMCP makes from a description: `fastmcp_server.py SPEC PORT`.

Runs in FastMCP's own environment, and as its documentation does it.
"""

import json
import sys
from pathlib import Path

import httpx2
import uvicorn
import yaml
from fastmcp import FastMCP

spec, port = Path(sys.argv[1]), int(sys.argv[2])
text = spec.read_text(encoding="utf-8")
if spec.suffix == ".json":
    description = json.loads(text)
else:
    description = yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))

client = httpx2.AsyncClient(base_url="http://127.0.0.1:9")
server = FastMCP.from_openapi(openapi_spec=description, client=client, name="benchmark")
app = server.http_app(path="/mcp", stateless_http=True)
uvicorn.run(app, host="127.0.0.1", port=port, log_level="error")
