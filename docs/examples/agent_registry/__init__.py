"""A small registry of agents and MCP servers: `specs/openapi/agent-registry.yaml`, served.

`make example NAME=agent-registry` starts the registry. Registrations are stored in SQLite, signs of life
in Redis; every response reads the liveness anew.
"""

from __future__ import annotations

import json
from contextlib import ExitStack
from pathlib import Path

from docs.examples.agent_registry.app import create
from docs.examples.example import Example, redis_server

ENDPOINT = {
    "name": "streamable-http",
    "transport": "Http",
    "protocol": "MCP",
    "address": "https://weather.example/mcp",
    "livenessModel": "Persistent",
    "heartbeatIntervalSeconds": 3600,
}


def start(folder: Path, stack: ExitStack) -> Example:
    """The registry in `folder`, with a Redis that keeps its data there too."""
    redis_url = stack.enter_context(redis_server(folder))
    return Example(
        project="agent-registry",
        app=create(str(folder / "registry.sqlite"), redis_url),
        settings=lambda _: {},
        tool="register_agent",
        arguments={"name": "Weather", "endpoints": json.dumps([ENDPOINT])},
    )
