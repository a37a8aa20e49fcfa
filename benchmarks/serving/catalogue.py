"""The tools that every measured server has, and the messages that are sent to it.

Needs nothing but Python, because servers in environments of their own read it, too.
"""

from __future__ import annotations

import json
from typing import Any

VERSION = "2026-07-28"
TRIVIAL, UPSTREAM, COUNTED = "tool_0", "tool_1", "tool_2"
"""The tool that answers by itself, one that asks the API, and one that tells what the server holds."""

WORDS = (
    "Looks for what was asked for among everything that the service keeps, and shows it in short. "
)
GREETING = (
    "Hello Ada, the weather in the harbour is fine today, and the wind comes from the south-west."
)


def parameters() -> dict[str, Any]:
    """The parameters of each tool, as JSON Schema."""
    said = "What to look for; a word, or several of them."
    return {f"word_{n}": {"type": "string", "description": said, "maxLength": 80} for n in range(6)}


def schema() -> dict[str, Any]:
    """The input schema of each tool."""
    return {
        "type": "object",
        "properties": parameters(),
        "required": ["word_0"],
        "additionalProperties": False,
    }


def names(count: int) -> list[str]:
    """The names of so many tools."""
    return [f"tool_{number}" for number in range(count)]


def description(count: int) -> dict[str, Any]:
    """An OpenAPI description with an operation for each tool."""
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
    """A whole HTTP request of the newest revision for JSON."""
    meta = {
        "io.modelcontextprotocol/protocolVersion": VERSION,
        "io.modelcontextprotocol/clientInfo": {"name": "measure", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    params: dict[str, Any] = {"_meta": meta}
    named = ""
    if tool:
        params |= {"name": tool, "arguments": {"word_0": "harbour", "word_1": "wind"}}
        named = f"Mcp-Name: {tool}\r\n"
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    body = json.dumps(message, separators=(",", ":"))
    return (
        "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:8000\r\nContent-Type: application/json\r\n"
        "Accept: application/json, text/event-stream\r\n"
        f"MCP-Protocol-Version: {VERSION}\r\nMcp-Method: {method}\r\n{named}"
        f"Content-Length: {len(body)}\r\n\r\n{body}"
    ).encode()
