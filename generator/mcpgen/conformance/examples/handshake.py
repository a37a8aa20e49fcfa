"""Examples for opening a conversation: handshake, sessions, discovery, metadata."""

from mcpgen.conformance.examples.example import Example, Examples

EXAMPLES: Examples = {
    "speaks-mcp": Example(
        "→ POST /\n← 404 text/html\n  <h1>Not Found</h1>",
        '→ POST /mcp\n  {"jsonrpc": "2.0", "id": 1, "method": "initialize", …}\n'
        '← 200 application/json\n  {"jsonrpc": "2.0", "id": 1, "result": {"protocolVersion": …}}',
    ),
    "initialize-result-shape": Example(
        '← {"protocolVersion": "2025-11-25", "capabilities": ["tools"], "serverInfo": "weather 1.0"}',
        '← {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}},\n'
        '   "serverInfo": {"name": "weather", "version": "1.0"}}',
    ),
    "initialize-unknown-version": Example(
        '→ "protocolVersion": "1999-12-31"\n← "protocolVersion": "1999-12-31"',
        '→ "protocolVersion": "1999-12-31"\n← "protocolVersion": "2025-11-25"',
    ),
    "ping-answers": Example(
        '→ {"jsonrpc": "2.0", "id": 4, "method": "ping"}\n'
        '← {"jsonrpc": "2.0", "id": 4, "error": {"code": -32601, …}}',
        '→ {"jsonrpc": "2.0", "id": 4, "method": "ping"}\n'
        '← {"jsonrpc": "2.0", "id": 4, "result": {}}',
    ),
    "session-id-visible-ascii": Example(
        "← Mcp-Session-Id: séance 1",
        "← Mcp-Session-Id: 0c9f0f4e-9f7e-4a53-8a3b-0f6b0b0f5a11",
    ),
    "session-honoured": Example(
        "← Mcp-Session-Id: 0c9f…\n→ Mcp-Session-Id: 0c9f…  (reaches another process)\n← 404",
        "← Mcp-Session-Id: 0c9f…\n→ Mcp-Session-Id: 0c9f…\n← 200",
    ),
    "session-required-400": Example(
        "→ tools/list without Mcp-Session-Id\n← 500",
        "→ tools/list without Mcp-Session-Id\n← 400",
    ),
    "session-unknown-404": Example(
        "→ Mcp-Session-Id: made-up\n← 200",
        "→ Mcp-Session-Id: made-up\n← 404",
    ),
    "session-delete-answered": Example(
        "→ DELETE /mcp, Mcp-Session-Id: 0c9f…\n← 500",
        "→ DELETE /mcp, Mcp-Session-Id: 0c9f…\n← 204   (or 405)",
    ),
    "session-deleted-404": Example(
        "→ DELETE /mcp, Mcp-Session-Id: 0c9f…\n← 204\n→ ping, Mcp-Session-Id: 0c9f…\n← 200",
        "→ DELETE /mcp, Mcp-Session-Id: 0c9f…\n← 204\n→ ping, Mcp-Session-Id: 0c9f…\n← 404",
    ),
    "discover-result-shape": Example(
        '← {"supportedVersions": "2026-07-28", "capabilities": {"tools": {}}}',
        '← {"resultType": "complete", "supportedVersions": ["2026-07-28"],\n'
        '   "capabilities": {"tools": {}}, …}',
    ),
    "result-type-present": Example(
        '← {"result": {"tools": […]}}',
        '← {"result": {"resultType": "complete", "tools": […]}}',
    ),
    "server-info-stamped": Example(
        '← {"result": {"resultType": "complete", …}}',
        '← {"result": {"resultType": "complete", "_meta":\n'
        '   {"io.modelcontextprotocol/serverInfo": {"name": "weather", "version": "1.0"}}, …}}',
    ),
    "cache-hints-present": Example(
        '← {"tools": […]}',
        '← {"tools": […], "ttlMs": 60000, "cacheScope": "public"}',
    ),
    "cache-scope-same-on-pages": Example(
        '← {"tools": […], "nextCursor": "2", "cacheScope": "public"}\n'
        '← {"tools": […], "cacheScope": "private"}',
        '← {"tools": […], "nextCursor": "2", "cacheScope": "private"}\n'
        '← {"tools": […], "cacheScope": "private"}',
    ),
    "meta-missing-32602": Example(
        '→ {"method": "tools/list", "params": {}}\n← 200 {"result": {"tools": […]}}',
        '→ {"method": "tools/list", "params": {}}\n← 400 {"error": {"code": -32602, …}}',
    ),
    "version-unsupported-32022": Example(
        '→ "io.modelcontextprotocol/protocolVersion": "1999-12-31"\n← 200 {"result": …}',
        '→ "io.modelcontextprotocol/protocolVersion": "1999-12-31"\n'
        '← 400 {"error": {"code": -32022, "message": "…", "data":\n'
        '   {"supported": ["2026-07-28"], "requested": "1999-12-31"}}}',
    ),
    "session-header-ignored": Example(
        "→ MCP-Protocol-Version: 2026-07-28\n← 200, Mcp-Session-Id: 0c9f…",
        "→ MCP-Protocol-Version: 2026-07-28\n← 200",
    ),
    "removed-methods-32601": Example(
        '→ 2026-07-28: {"method": "ping"}\n← 200 {"result": {}}',
        '→ 2026-07-28: {"method": "ping"}\n← 404 {"error": {"code": -32601, …}}',
    ),
    "version-header-mismatch-32020": Example(
        '→ MCP-Protocol-Version: 2025-11-25, in `_meta` "2026-07-28"\n← 200',
        '→ MCP-Protocol-Version: 2025-11-25, in `_meta` "2026-07-28"\n'
        '← 400 {"error": {"code": -32020, …}}',
    ),
    "method-header-mismatch-32020": Example(
        '→ Mcp-Method: tools/list, {"method": "tools/call", …}\n← 200',
        '→ Mcp-Method: tools/list, {"method": "tools/call", …}\n← 400 {"error": {"code": -32020, …}}',
    ),
    "name-header-mismatch-32020": Example(
        '→ Mcp-Name: list_pets, {"name": "delete_pet", …}\n← 200',
        '→ Mcp-Name: list_pets, {"name": "delete_pet", …}\n← 400 {"error": {"code": -32020, …}}',
    ),
    "name-header-base64": Example(
        '→ Mcp-Name: =?base64?Z3LDtsOfZQ==?=, {"name": "größe"}\n← 400 {"error": {"code": -32020, …}}',
        '→ Mcp-Name: =?base64?Z3LDtsOfZQ==?=, {"name": "größe"}\n← 200 {"result": …}',
    ),
    "param-header-mismatch-32020": Example(
        '→ Mcp-Param-Region: eu, {"arguments": {"region": "us"}}\n← 200',
        '→ Mcp-Param-Region: eu, {"arguments": {"region": "us"}}\n'
        '← 400 {"error": {"code": -32020, …}}',
    ),
    "param-header-base64": Example(
        '→ Mcp-Param-City: =?base64?S8O2bG4=?=, {"arguments": {"city": "Köln"}}\n← 400',
        '→ Mcp-Param-City: =?base64?S8O2bG4=?=, {"arguments": {"city": "Köln"}}\n← 200',
    ),
    "log-level-set": Example(
        '→ {"method": "logging/setLevel", "params": {"level": "notice"}}\n← {"error": …}',
        '→ {"method": "logging/setLevel", "params": {"level": "notice"}}\n← {"result": {}}',
    ),
    "log-level-unknown-32602": Example(
        '→ {"method": "logging/setLevel", "params": {"level": "loud"}}\n← {"result": {}}',
        '→ {"method": "logging/setLevel", "params": {"level": "loud"}}\n'
        '← {"error": {"code": -32602, "message": "There is no level `loud`"}}',
    ),
}
"""By the id of the check."""
