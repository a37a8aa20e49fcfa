"""Examples for what a server may have beside tools: resources, prompts, completion."""

from mcpgen.conformance.examples.example import Example, Examples

EXAMPLES: Examples = {
    "resources-list-shape": Example(
        '← {"resources": [{"uri": "notes:///today"}]}',
        '← {"resources": [{"uri": "notes:///today", "name": "today"}]}',
    ),
    "resource-templates-shape": Example(
        '← {"resourceTemplates": [{"uriTemplate": "{name}"}]}',
        '← {"resourceTemplates": [{"uriTemplate": "notes:///{name}", "name": "note"}]}',
    ),
    "resource-read-shape": Example(
        '← {"contents": [{"text": "Milk"}]}',
        '← {"contents": [{"uri": "notes:///today", "mimeType": "text/plain", "text": "Milk"}]}',
    ),
    "resource-unknown-refused": Example(
        '→ resources/read, "uri": "notes:///nope"\n← {"result": {"contents": []}}',
        '→ resources/read, "uri": "notes:///nope"\n← {"error": {"code": -32002, …}}',
    ),
    "resource-subscribe-answered": Example(
        '"resources": {"subscribe": true}\n→ resources/subscribe\n← {"error": {"code": -32601, …}}',
        '"resources": {"subscribe": true}\n→ resources/subscribe\n← {"result": {}}',
    ),
    "prompts-list-shape": Example(
        '← {"prompts": ["review"]}',
        '← {"prompts": [{"name": "review", "arguments": [{"name": "code", "required": true}]}]}',
    ),
    "prompt-get-shape": Example(
        '← {"messages": [{"role": "system", "content": "Review this."}]}',
        '← {"messages": [{"role": "user", "content": {"type": "text", "text": "Review this."}}]}',
    ),
    "prompt-unknown-32602": Example(
        '→ prompts/get, "name": "nope"\n← {"result": {"messages": []}}',
        '→ prompts/get, "name": "nope"\n← {"error": {"code": -32602, …}}',
    ),
    "prompt-argument-missing-32602": Example(
        '→ prompts/get, "name": "review", "arguments": {}\n← {"error": {"code": -32603, …}}',
        '→ prompts/get, "name": "review", "arguments": {}\n'
        '← {"error": {"code": -32602, "message": "`code` is missing"}}',
    ),
    "completion-shape": Example(
        '← {"completion": ["paris", "parma"]}',
        '← {"completion": {"values": ["paris", "parma"], "hasMore": false}}',
    ),
    "completion-unknown-32602": Example(
        '→ "ref": {"type": "ref/prompt", "name": "nope"}\n← {"result": {"completion": {"values": []}}}',
        '→ "ref": {"type": "ref/prompt", "name": "nope"}\n← {"error": {"code": -32602, …}}',
    ),
}
"""By the id of the check."""
