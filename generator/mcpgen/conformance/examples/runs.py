"""Examples for what belongs to a run and not to the server alone."""

from mcpgen.conformance.examples.example import Example, Examples

EXAMPLES: Examples = {
    "trial-starts": Example(
        "$ python -m pets_mcp\nModuleNotFoundError: No module named 'dateutil'",
        "$ python -m pets_mcp &\n$ curl -s -o /dev/null -w '%{http_code}' localhost:8000/healthz\n200",
    ),
    "trial-request-arrives": Example(
        '→ get_pet {"pet_id": 7}\n  the API got GET /pets?pet_id=7',
        '→ get_pet {"pet_id": 7}\n  the API got GET /pets/7',
    ),
    "command-serves": Example(
        '$ mcpgen check --run "python -m pets"\n  the command ended with code 1',
        '$ mcpgen check --run "python -m pets --port {port}" http://127.0.0.1:{port}/mcp',
    ),
    "baseline-shrinks": Example(
        '{"check": "ping-answers", "revision": "2025-06-18", "tool": ""}   (ping answers by now)',
        "$ mcpgen check --write-baseline known.json https://mcp.example/mcp",
    ),
}
"""By the id of the check."""
