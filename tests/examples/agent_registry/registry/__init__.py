"""A small registry of agents and MCP servers: `specs/openapi/agent-registry.yaml`, served.

`python -m tests.examples.agent_registry.registry` starts it. What is registered stands in SQLite; whether
it is alive is asked anew with every answer.
"""
