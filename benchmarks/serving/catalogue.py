"""Tools of every measured server, and HTTP requests to the servers.

Imports only the standard library: FastMCP's environment imports the module, too.
"""

from __future__ import annotations

import json
from typing import Any

VERSION = "2026-07-28"
TRIVIAL, UPSTREAM, COUNTED = "tool_0", "tool_1", "tool_2"
"""A tool that answers without the API, a tool that calls the API, and a tool that counts the server's tasks
and objects."""

WORDS = (
    "Looks for what was asked for among everything that the service keeps, and shows it in short. "
)
GREETING = (
    "Hello Ada, the weather in the harbour is fine today, and the wind comes from the south-west."
)


def parameters() -> dict[str, Any]:
    """JSON Schemas of the six parameters by name."""
    text = "What to look for; a word, or several of them."
    return {f"word_{n}": {"type": "string", "description": text, "maxLength": 80} for n in range(6)}


def catalogue_schema() -> dict[str, Any]:
    """The input schema of every tool."""
    return {
        "type": "object",
        "properties": parameters(),
        "required": ["word_0"],
        "additionalProperties": False,
    }


def names(count: int) -> list[str]:
    """Tool names: `tool_0`, `tool_1` and so on."""
    return [f"tool_{number}" for number in range(count)]


def openapi_document(count: int) -> dict[str, Any]:
    """An OpenAPI document with an operation per tool."""
    queries = [
        {"name": name, "in": "query", "schema": kind, "required": name == "word_0"}
        for name, kind in parameters().items()
    ]
    ok = {
        "200": {
            "description": "Found.",
            "content": {"application/json": {"schema": {"type": "object"}}},
        }
    }
    paths = {
        f"/{name}": {
            "get": {"operationId": name, "summary": WORDS, "parameters": queries, "responses": ok}
        }
        for name in names(count)
    }
    info = {"title": "Measured", "version": "1.0.0"}
    return {"openapi": "3.1.0", "info": info, "paths": paths}


def request(method: str, tool: str = "") -> bytes:
    """Head and body of an HTTP request of revision 2026-07-28. `tool` is the tool of a `tools/call`."""
    meta = {
        "io.modelcontextprotocol/protocolVersion": VERSION,
        "io.modelcontextprotocol/clientInfo": {"name": "measure", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    params: dict[str, Any] = {"_meta": meta}
    name_header = ""
    if tool:
        params |= {"name": tool, "arguments": {"word_0": "harbour", "word_1": "wind"}}
        name_header = f"Mcp-Name: {tool}\r\n"
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    body = json.dumps(message, separators=(",", ":"))
    return (
        "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:8000\r\nContent-Type: application/json\r\n"
        "Accept: application/json, text/event-stream\r\n"
        f"MCP-Protocol-Version: {VERSION}\r\nMcp-Method: {method}\r\n{name_header}"
        f"Content-Length: {len(body)}\r\n\r\n{body}"
    ).encode()
