"""The protocol revisions, oldest first, and the words that go on the wire in each."""

from __future__ import annotations

LEGACY = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
"""Revisions that open with the `initialize` handshake."""

MODERN = ("2026-07-28",)
"""Revisions that carry version and capabilities in the `_meta` of every request."""

ALL = LEGACY + MODERN

STREAMABLE = LEGACY[1:]
"""Legacy revisions that define Streamable HTTP; 2024-11-05 still had HTTP+SSE."""

WITH_VERSION_HEADER = LEGACY[2:]
"""Legacy revisions in which requests after `initialize` carry `MCP-Protocol-Version`."""

META_VERSION = "io.modelcontextprotocol/protocolVersion"
META_CLIENT = "io.modelcontextprotocol/clientInfo"
META_CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
META_SERVER = "io.modelcontextprotocol/serverInfo"

CLIENT = {"name": "mcpgen-check", "version": "1"}
"""How the probe introduces itself."""

NAMED = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
"""The parameter that the header `Mcp-Name` repeats, by method."""

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
HEADER_MISMATCH = -32020
UNSUPPORTED_VERSION = -32022

SPECIFICATION = "https://modelcontextprotocol.io/specification"
