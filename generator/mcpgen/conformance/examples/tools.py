"""Examples for tools: how they are announced, called and refused."""

from mcpgen.conformance.examples.example import Example, Examples

EXAMPLES: Examples = {
    "tools-list-shape": Example(
        '← {"tools": {"get_pet": {…}}}',
        '← {"tools": [{"name": "get_pet", "inputSchema": {"type": "object"}}]}',
    ),
    "tool-name-legal": Example('"name": "get pet!"', '"name": "get_pet"'),
    "tool-name-unique": Example(
        '[{"name": "get", …}, {"name": "get", …}]',
        '[{"name": "get_pet", …}, {"name": "get_owner", …}]',
    ),
    "tools-list-stable": Example("return list({*tools})", "return sorted(tools, key=name_of)"),
    "lists-same-on-every-connection": Example(
        "tools = session_tools[request.client.port]",
        "tools = tools_for(request.token)      # or the same for everyone",
    ),
    "pagination-ends": Example(
        '→ tools/list, "cursor": "2"\n← {"tools": [], "nextCursor": "2"}',
        '→ tools/list, "cursor": "2"\n← {"tools": [{…}]}',
    ),
    "cursor-unknown-32602": Example(
        '→ tools/list, "cursor": "made-up"\n← {"tools": […]}',
        '→ tools/list, "cursor": "made-up"\n← {"error": {"code": -32602, …}}',
    ),
    "input-schema-object": Example(
        '"inputSchema": {}',
        '"inputSchema": {"type": "object", "properties": {}}',
    ),
    "tool-schemas-valid": Example(
        '{"type": "int", "$ref": "https://example.com/pet.json"}',
        '{"type": "integer"}',
    ),
    "output-schema-object": Example(
        '"outputSchema": {"type": "array", "items": {"type": "string"}}',
        '"outputSchema": {"type": "object", "required": ["result"],\n'
        '  "properties": {"result": {"type": "array", "items": {"type": "string"}}}}',
    ),
    "annotations-boolean": Example(
        '"annotations": {"readOnlyHint": "yes"}',
        '"annotations": {"readOnlyHint": true}',
    ),
    "x-mcp-header-valid": Example(
        '"filter": {"type": "object", "x-mcp-header": "My Filter"}',
        '"region": {"type": "string", "x-mcp-header": "Region"}',
    ),
    "tool-call-answered": Example(
        '← {"error": {"code": -32603, "message": "Internal error"}}',
        '← {"result": {"isError": true, "content": [{"type": "text",\n'
        '   "text": "The weather service did not answer."}]}}',
    ),
    "tool-result-shape": Example(
        '← {"result": "sunny"}',
        '← {"result": {"content": [{"type": "text", "text": "sunny"}]}}',
    ),
    "tool-result-every-revision": Example(
        '2025-11-25: ← {"content": […]}\n2026-07-28: ← {"error": …}',
        '2025-11-25: ← {"content": […]}\n2026-07-28: ← {"resultType": "complete", "content": […]}',
    ),
    "structured-content-matches": Example(
        '"outputSchema": {"properties": {"sum": {"type": "integer"}}, …}\n'
        '← "structuredContent": {"sum": "3"}',
        '"outputSchema": {"properties": {"sum": {"type": "integer"}}, …}\n'
        '← "structuredContent": {"sum": 3}',
    ),
    "structured-content-object": Example(
        '"structuredContent": [1, 2]',
        '"structuredContent": {"result": [1, 2]}',
    ),
    "structured-content-mirrored": Example(
        '"content": [], "structuredContent": {"sum": 3}',
        '"content": [{"type": "text", "text": "{\\"sum\\": 3}"}], "structuredContent": {"sum": 3}',
    ),
    "vouched-call-succeeds": Example(
        '→ get_pet {"pet_id": 1}\n← {"isError": true, "content": […]}',
        '→ get_pet {"pet_id": 1}\n← {"content": [{"type": "text", "text": "Rex"}]}',
    ),
    "unknown-tool-error": Example(
        '→ tools/call, "name": "nope"\n← {"result": {"isError": true, "content": […]}}',
        '→ tools/call, "name": "nope"\n← {"error": {"code": -32602, "message": "Unknown tool: nope"}}',
    ),
    "unknown-tool-32602": Example(
        '→ tools/call, "name": "nope"\n← {"error": {"code": -32601, …}}',
        '→ tools/call, "name": "nope"\n← {"error": {"code": -32602, …}}',
    ),
    "bad-arguments-refused": Example(
        '→ get_pet {"pet_id": {"wrong": true}}\n← {"content": [{"type": "text", "text": "Rex"}]}',
        '→ get_pet {"pet_id": {"wrong": true}}\n← {"isError": true, "content": […]}',
    ),
    "bad-arguments-readable": Example(
        '→ get_pet {}\n← {"error": {"code": -32602, "message": "Invalid params"}}',
        '→ get_pet {}\n← {"isError": true, "content": [{"type": "text",\n'
        '   "text": "`pet_id` is missing: give the id of the pet, a whole number."}]}',
    ),
    "universal-tool-name": Example('"name": "PetStore.getPet__byId"', '"name": "get_pet_by_id"'),
    "universal-description": Example(
        '"description": ""',
        '"description": "Finds a pet by its id. Use list_pets to find the id."',
    ),
    "universal-schema-root": Example(
        '{"oneOf": [{"type": "object", …}, {"type": "object", …}]}',
        '{"type": "object", "properties": {…}, "required": [], "additionalProperties": false}',
    ),
    "universal-argument-name": Example('{"filter[name]": {…}}', '{"filter_name": {…}}'),
    "universal-flat": Example(
        '{"pet": {"type": "object", "properties": {"name": {"type": "string"}}}}',
        '{"pet_name": {"type": "string", "description": "The pet\'s name."}}',
    ),
    "universal-argument-described": Example(
        '{"limit": {"type": "integer"}}',
        '{"limit": {"type": "integer", "description": "How many pets, from 1 to 100."}}',
    ),
    "universal-enum": Example(
        '{"type": "integer", "enum": [1, 2]}',
        '{"type": "integer", "minimum": 1, "maximum": 2, "description": "1 or 2."}',
    ),
    "universal-annotations": Example(
        '{"name": "get_pet", …}',
        '{"name": "get_pet", "annotations": {"readOnlyHint": true}, …}\n'
        '{"name": "add_pet", "annotations": {"readOnlyHint": false, "destructiveHint": false}, …}',
    ),
    "universal-tool-count": Example(
        "one server with 120 tools",
        "shop: 18 tools\nwarehouse: 22 tools\naccounting: 15 tools",
    ),
    "universal-instructions": Example(
        '"instructions": "(the whole manual)"',
        '"instructions": "Prices are in euro. Ask find_shop first; the other tools take its id."',
    ),
    "universal-enum-total": Example(
        '{"city": {"enum": ["Aachen", "Aalen", … 11,000 more]}}',
        '{"city": {"type": "string", "description": "A name that find_city gave."}}',
    ),
    "universal-result-size": Example(
        '← "text": "(300,000 characters)"',
        '← "text": "{\\"pets\\": [… 50], \\"next_cursor\\": \\"b2Zmc2V0\\"}"',
    ),
    "first-block-text": Example(
        '"content": [{"type": "image", …}, {"type": "text", …}]',
        '"content": [{"type": "text", …}, {"type": "image", …}]',
    ),
}
"""By the id of the check."""
