"""Examples for HTTP: headers, answers, event streams, batches."""

from mcpgen.conformance.examples.example import Example, Examples

EXAMPLES: Examples = {
    "notification-202-empty": Example(
        '→ {"jsonrpc": "2.0", "method": "notifications/initialized"}\n'
        '← 200 {"jsonrpc": "2.0", "id": null, "result": {}}',
        '→ {"jsonrpc": "2.0", "method": "notifications/initialized"}\n← 202',
    ),
    "response-202-empty": Example(
        '→ {"jsonrpc": "2.0", "id": "nobody-asked", "result": {}}\n← 200 {"error": …}',
        '→ {"jsonrpc": "2.0", "id": "nobody-asked", "result": {}}\n← 202',
    ),
    "answer-content-type": Example(
        '← 200, Content-Type: text/plain\n  {"jsonrpc": "2.0", …}',
        '← 200, Content-Type: application/json\n  {"jsonrpc": "2.0", …}',
    ),
    "get-405-or-stream": Example(
        "→ GET /mcp, Accept: text/event-stream\n← 200, Content-Type: text/html",
        "→ GET /mcp, Accept: text/event-stream\n← 405, Allow: POST",
    ),
    "get-delete-405": Example(
        "→ GET /mcp\n← 404\n→ DELETE /mcp\n← 500",
        "→ GET /mcp\n← 405, Allow: POST\n→ DELETE /mcp\n← 405, Allow: POST",
    ),
    "version-header-unknown-400": Example(
        "→ MCP-Protocol-Version: 1999-12-31\n← 200",
        "→ MCP-Protocol-Version: 1999-12-31\n← 400",
    ),
    "version-header-absent": Example(
        "→ tools/list without MCP-Protocol-Version\n← 400",
        "→ tools/list without MCP-Protocol-Version\n← 200   (as for 2025-03-26)",
    ),
    "accept-missing-tolerated": Example(
        "→ POST /mcp without Accept\n← 406",
        "→ POST /mcp without Accept\n← 200, Content-Type: application/json",
    ),
    "accept-json-alone": Example(
        "→ Accept: application/json\n← 406   (or text/event-stream)",
        "→ Accept: application/json\n← 200, Content-Type: application/json",
    ),
    "header-white-space": Example(
        '→ Mcp-Method:   tools/list\n← 400 {"error": {"code": -32020, …}}',
        "→ Mcp-Method:   tools/list\n← 200",
    ),
    "header-names-any-case": Example(
        'headers["Mcp-Session-Id"]              # a plain dict: misses `mcp-session-id`',
        'request.headers.get("mcp-session-id")  # a framework\'s headers find every spelling',
    ),
    "hang-up-survived": Example(
        "→ tools/call …  (the client closes the connection)\n→ ping\n← 500",
        "try:\n    await send(answer)\nexcept ConnectionError:\n    return  # nobody waits any more",
    ),
    "unknown-method-32601": Example(
        '→ {"method": "no/such/method"}\n← 500 Internal Server Error',
        '→ {"method": "no/such/method"}\n← {"error": {"code": -32601, "message": "Method not found"}}',
    ),
    "event-stream-closes": Example(
        'data: {"jsonrpc": "2.0", "id": 3, "result": …}\n\n: still here\n: still here\n…',
        'data: {"jsonrpc": "2.0", "id": 3, "result": …}\n\n(end of the body)',
    ),
    "event-name-message": Example(
        'event: response\ndata: {"jsonrpc": "2.0", …}',
        'event: message\ndata: {"jsonrpc": "2.0", …}',
    ),
    "event-ids-unique": Example(
        "stream A\nid: 1\nstream B\nid: 1",
        "stream A\nid: a7f3-1\nstream B\nid: c20e-1",
    ),
    "event-stream-primed": Example(
        '(opens)\nid: 1\ndata: {"jsonrpc": "2.0", …}',
        '(opens)\nid: a7f3-0\ndata:\n\nid: a7f3-1\ndata: {"jsonrpc": "2.0", …}',
    ),
    "event-stream-unbuffered": Example(
        "← 200, Content-Type: text/event-stream",
        "← 200, Content-Type: text/event-stream, X-Accel-Buffering: no",
    ),
    "batch-answered": Example(
        '→ [{"id": 1, "method": "ping"}, {"id": 2, "method": "ping"}]\n← {"id": 1, "result": {}}',
        '→ [{"id": 1, "method": "ping"}, {"id": 2, "method": "ping"}]\n'
        '← [{"id": 1, "result": {}}, {"id": 2, "result": {}}]',
    ),
    "batch-notifications-202": Example(
        '→ [{"method": "notifications/initialized"}]\n← 200 []',
        '→ [{"method": "notifications/initialized"}]\n← 202',
    ),
    "batch-refused": Example(
        '→ [{"id": 1, "method": "ping"}]\n← 200 [{"id": 1, "result": {}}]',
        '→ [{"id": 1, "method": "ping"}]\n← 400 {"error": {"code": -32600, …}}',
    ),
}
"""By the id of the check."""
