"""Examples for JSON-RPC: ids, envelopes, errors, notifications."""

from mcpgen.conformance.examples.example import Example, Examples

EXAMPLES: Examples = {
    "response-keeps-id": Example(
        '→ {"id": "7", …}\n← {"id": 7, …}',
        '→ {"id": "7", …}\n← {"id": "7", …}',
    ),
    "response-shape": Example(
        '← {"jsonrpc": "2.0", "id": 7, "result": {}, "error": null}',
        '← {"jsonrpc": "2.0", "id": 7, "result": {}}',
    ),
    "answered-once": Example(
        'data: {"id": 7, "result": …}\n\ndata: {"id": 8, "result": …}   (asked elsewhere)',
        'data: {"id": 7, "result": …}\n\n(end of the body)',
    ),
    "cancellation-unknown-ignored": Example(
        'task = running[message["params"]["requestId"]]      # KeyError: 500\ntask.cancel()',
        'task = running.get(message["params"].get("requestId"))\n'
        "if task:\n    task.cancel()\nreturn 202",
    ),
    "concurrent-ids-kept": Example(
        'state["id"] = message["id"]      # the next request overwrites it\n'
        'await run()\nreturn {"id": state["id"], …}',
        'id = message["id"]               # each request has its own\nawait run()\nreturn {"id": id, …}',
    ),
    "malformed-json-refused": Example(
        '→ {"jsonrpc": "2.0", "id": 1, "method":\n← 500',
        '→ {"jsonrpc": "2.0", "id": 1, "method":\n← 400 {"error": {"code": -32700, …}}',
    ),
    "malformed-json-32700": Example(
        '→ {"jsonrpc":\n← 400 {"error": {"code": -32600, …}}',
        '→ {"jsonrpc":\n← 400 {"jsonrpc": "2.0", "id": null,\n'
        '        "error": {"code": -32700, "message": "Parse error"}}',
    ),
    "invalid-request-refused": Example(
        '→ {"jsonrpc": "2.0", "id": 1, "params": {}}\n← 200 {"result": {}}',
        '→ {"jsonrpc": "2.0", "id": 1, "params": {}}\n← 400 {"error": {"code": -32600, …}}',
    ),
    "invalid-request-32600": Example(
        '→ {"jsonrpc": "2.0", "id": 1, "params": {}}\n← 400 {"error": {"code": -32603, …}}',
        '→ {"jsonrpc": "2.0", "id": 1, "params": {}}\n← 400 {"error": {"code": -32600, …}}',
    ),
    "request-id-null-refused": Example(
        '→ {"id": null, "method": "tools/list"}\n← 200 {"id": null, "result": …}',
        '→ {"id": null, "method": "tools/list"}\n← 400 {"error": {"code": -32600, …}}',
    ),
    "invalid-envelope-refused": Example(
        '→ {"jsonrpc": "1.0", "id": 1, "method": "tools/list"}\n← 200 {"result": …}',
        '→ {"jsonrpc": "1.0", "id": 1, "method": "tools/list"}\n← 400 {"error": {"code": -32600, …}}',
    ),
    "body-not-utf8-refused": Example(
        'json.loads(body.decode("utf-8", "replace"))',
        'json.loads(body.decode("utf-8"))  # UnicodeDecodeError: answer 400 and -32700',
    ),
    "invalid-params-32602": Example(
        '→ {"method": "tools/call", "params": {"name": 7}}\n← {"error": {"code": -32603, …}}',
        '→ {"method": "tools/call", "params": {"name": 7}}\n'
        '← {"error": {"code": -32602, "message": "`name` must be a string"}}',
    ),
    "error-codes-defined": Example(
        '← {"error": {"code": -32050, "message": "quota"}}',
        '← {"error": {"code": 1001, "message": "quota"}}',
    ),
    "client-capabilities-respected": Example(
        '→ initialize, "capabilities": {}\n← {"method": "sampling/createMessage", …}',
        'if client.capabilities.sampling is None:\n    return refusal("this client offers no sampling")',
    ),
    "input-requests-declared": Example(
        '→ "io.modelcontextprotocol/clientCapabilities": {}\n'
        '← {"resultType": "input_required", "inputRequests": …}',
        '→ "io.modelcontextprotocol/clientCapabilities": {}\n'
        '← 400 {"error": {"code": -32021, "data": {"requiredCapabilities": …}}}',
    ),
    "progress-only-when-asked": Example(
        '→ tools/call without a progressToken\n← {"method": "notifications/progress", …}',
        "if token is not None:\n    await tell_progress(token, done)",
    ),
    "progress-token-taken": Example(
        '→ "_meta": {"progressToken": "abc"}\n← {"error": {"code": -32602, …}}',
        '→ "_meta": {"progressToken": "abc"}\n← {"result": …}',
    ),
    "progress-goes-up": Example(
        '"progress": 10\n"progress": 5\n"progress": 0',
        '"progress": 5, "total": 10\n"progress": 10, "total": 10',
    ),
    "log-messages-allowed": Example(
        '"capabilities": {"tools": {}}\n← {"method": "notifications/message", …}',
        '"capabilities": {"tools": {}, "logging": {}}\n← {"method": "notifications/message", …}',
    ),
    "subscription-acknowledged": Example(
        '→ {"id": 5, "method": "subscriptions/listen", …}\n'
        '← data: {"method": "notifications/tools/list_changed"}',
        '→ {"id": 5, "method": "subscriptions/listen", …}\n'
        '← data: {"method": "notifications/subscriptions/acknowledged", …}',
    ),
}
"""By the id of the check."""
