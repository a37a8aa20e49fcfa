"""Registrations: a server by capabilities, a server by card, and an agent of another protocol."""

from __future__ import annotations

from typing import Any

ADDRESS = "https://weather.example/mcp"

GENERIC: dict[str, Any] = {
    "name": "Weather",
    "capabilities": [
        {"name": "get_weather", "description": "Gets the weather.", "tags": ["tool", "mcp"]}
    ],
    "endpoints": [
        {
            "name": "streamable-http",
            "transport": "Http",
            "protocol": "MCP",
            "address": ADDRESS,
            "livenessModel": "Persistent",
            "heartbeatIntervalSeconds": 30,
        }
    ],
}

CARD: dict[str, Any] = {
    "tools": [
        {
            "name": "get_weather",
            "inputSchema": {
                "type": "object",
                "required": ["place"],
                "properties": {"place": {"maxLength": 1.0, "type": "string", "$comment": "ä"}},
            },
            "outputSchema": {"type": "object"},
        }
    ],
    "mcpVersion": "2025-11-25",
    "serverInfo": {"version": "1.0.0", "name": "weather", "title": "Weather"},
    "endpoints": {"streamableHttp": ADDRESS},
    "capabilities": {"tools": {"listChanged": True}, "prompts": {}},
    "resources": [],
    "instructions": "One place at a time.",
    "x-of-its-own": [1, 2.50, None],
}


def agent(name: str, **endpoint: Any) -> dict[str, Any]:
    """An agent with this name; an MCP server only if its endpoint says so."""
    base = {**GENERIC["endpoints"][0], "protocol": "A2A", **endpoint}
    return {"name": name, "capabilities": [], "endpoints": [base]}
