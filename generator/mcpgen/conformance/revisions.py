"""Protocol revisions, oldest first, and their constants on the wire."""

from __future__ import annotations

LEGACY = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
"""Revisions with the `initialize` handshake."""

MODERN = ("2026-07-28",)
"""Revisions with version and capabilities in the `_meta` of every request."""

ALL = LEGACY + MODERN

STREAMABLE = LEGACY[1:]
"""Legacy revisions with Streamable HTTP; 2024-11-05 has HTTP+SSE."""

WITH_VERSION_HEADER = LEGACY[2:]
"""Legacy revisions that require `MCP-Protocol-Version` after `initialize`."""

META_VERSION = "io.modelcontextprotocol/protocolVersion"
META_CLIENT = "io.modelcontextprotocol/clientInfo"
META_CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
META_SERVER = "io.modelcontextprotocol/serverInfo"

CLIENT = {"name": "mcpgen-check", "version": "1"}
"""The `clientInfo` of the probe."""

NAMED = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
"""By method: the parameter that the header `Mcp-Name` repeats."""

LISTS = {
    "tools/list": ("tools", "tools"),
    "prompts/list": ("prompts", "prompts"),
    "resources/list": ("resources", "resources"),
    "resources/templates/list": ("resources", "resourceTemplates"),
}
"""By method: the capability that declares the list, and the member of a page with the entries."""

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
HEADER_MISMATCH = -32020
UNSUPPORTED_VERSION = -32022

SPECIFICATION = "https://modelcontextprotocol.io/specification"
