"""Examples for what single hosts need, and for the time they wait."""

from mcpgen.conformance.examples.example import Example, Examples

SOON = "@cache\ndef tools() -> list[Tool]:   # made once, when the server starts"

EXAMPLES: Examples = {
    "host-tool-name": Example('"name": "pets.get-by-id"', '"name": "get_pet"'),
    "host-argument-name": Example('{"$top": {…}}', '{"top": {…}}'),
    "host-tool-count": Example("one server with 200 tools", "three servers with 20 to 40 tools"),
    "host-description": Example(
        '"description": "(3,000 characters)"',
        '"description": "Finds a pet by its id. Use list_pets to find the id."',
    ),
    "host-instructions": Example(
        '"instructions": "(10 KiB of manual)"',
        '"instructions": "Ask find_shop first; the other tools take its id."',
    ),
    "host-schema-root": Example(
        '{"anyOf": [{"type": "object", …}, …]}',
        '{"type": "object", "properties": {…}, "additionalProperties": false}',
    ),
    "host-schema-keyword": Example(
        '{"type": "string", "not": {"pattern": "^x"}}',
        '{"type": "string", "description": "A name that does not begin with x."}',
    ),
    "host-schema-type": Example(
        '{"type": ["string", "null"], "enum": [1, "2"]}',
        '{"type": "string", "enum": ["1", "2"]}',
    ),
    "host-schema-reference": Example(
        '{"$ref": "#/$defs/Pet"}',
        '{"type": "string", "description": "The pet as JSON: name, species."}',
    ),
    "host-schema-size": Example(
        '{"a": {"type": "object", "properties": {"b": {"type": "object", …}}}}',
        '{"a_b_name": {"type": "string"}}',
    ),
    "host-schema-dialect": Example(
        '{"type": "array", "prefixItems": [{"type": "string"}]}',
        '{"type": "array", "items": {"type": "string"}}',
    ),
    "host-annotations": Example(
        '"annotations": {}',
        '"annotations": {"title": "Get a pet", "readOnlyHint": true, "destructiveHint": false,\n'
        '  "idempotentHint": true, "openWorldHint": true}',
    ),
    "host-output-schema": Example(
        '{"name": "get_pet", "inputSchema": {…}}',
        '{"name": "get_pet", "inputSchema": {…}, "outputSchema": {"type": "object", …}}',
    ),
    "host-mirrored-header": Example(
        '"filter": {"type": "number", "x-mcp-header": "My Filter"}',
        '"region": {"type": "string", "x-mcp-header": "Region"}',
    ),
    "host-result-size": Example(
        '← "text": "(300,000 characters)"',
        '← "text": "{\\"pets\\": [… 50], \\"next_cursor\\": \\"b2Zmc2V0\\"}"',
    ),
    "host-result-content": Example(
        '"content": [{"type": "audio", "data": "…", "mimeType": "audio/wav"}]',
        '"content": [{"type": "text", "text": "The recording: https://…"}]',
    ),
    "host-accept": Example(
        "→ Accept: application/json\n← 406",
        "→ Accept: application/json\n← 200, Content-Type: application/json",
    ),
    "host-https": Example("http://mcp.example/mcp", "https://mcp.example/mcp"),
    "host-time": Example(
        "→ tools/call report\n← (three minutes later)",
        '→ tools/call start_report\n← {"job": "r-17"}\n→ tools/call report_state {"job": "r-17"}',
    ),
    "latency-initialize": Example("await database.connect()   # on every initialize", SOON),
    "latency-discover": Example("await database.connect()   # on every server/discover", SOON),
    "latency-list": Example("tools = await registry.fetch()   # on every tools/list", SOON),
    "latency-call": Example(
        "→ tools/call report\n← (three minutes later)",
        '→ tools/call start_report\n← {"job": "r-17"}\n→ tools/call report_state {"job": "r-17"}',
    ),
    "workspace-https": Example("http://mcp.example/mcp", "https://mcp.example/mcp"),
    "workspace-trusted-domain": Example(
        "https://mcp.somewhere.example/mcp",
        "https://mcp.trusted.example/mcp   (with `*.trusted.example` on the list)",
    ),
    "workspace-every-turn": Example(
        "→ initialize\n← 200\n→ initialize\n← 409 already initialized",
        "→ initialize\n← 200\n→ initialize\n← 200",
    ),
    "workspace-opening-in-time": Example("await database.connect()   # on every initialize", SOON),
    "workspace-cold-list": Example("tools = await registry.fetch()   # on every tools/list", SOON),
    "workspace-call-in-time": Example(
        "→ tools/call report\n← (two minutes later)",
        '→ tools/call start_report\n← {"job": "r-17"}\n→ tools/call report_state {"job": "r-17"}',
    ),
    "workspace-readable": Example(
        'data:{"jsonrpc": "2.0", …}\\r\\n',
        'data: {"jsonrpc": "2.0", …}\\n',
    ),
    "workspace-session": Example(
        "← Mcp-Session-Id: 0c9f…\n→ DELETE, Mcp-Session-Id: 0c9f…\n← 500",
        "← Mcp-Session-Id: 0c9f…\n→ DELETE, Mcp-Session-Id: 0c9f…\n← 204",
    ),
    "workspace-first-page": Example(
        '← {"tools": [… 20], "nextCursor": "2"}',
        '← {"tools": [… 38]}',
    ),
    "workspace-has-tools": Example('← {"tools": []}', '← {"tools": [{"name": "get_pet", …}]}'),
    "workspace-no-secrets": Example(
        '"properties": {"api_key": {"type": "string"}}',
        "Authorization: Bearer …   (in the header; the key of the API stays in the server)",
    ),
    "workspace-fails-closed": Example(
        "try:\n    validate(token)\nexcept NetworkError:\n    pass",
        "try:\n    validate(token)\nexcept NetworkError:\n    return unauthorized()",
    ),
}
"""By the id of the check."""
