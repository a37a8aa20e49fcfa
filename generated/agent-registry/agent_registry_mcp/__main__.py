"""`python -m agent_registry_mcp` serves the Agent Registry API as MCP over HTTP."""

from agent_registry_mcp._runtime.server.cli import main
from agent_registry_mcp.server import create
from agent_registry_mcp.settings import Settings


def run() -> int:
    """Serves until stopped by a signal; returns the exit code."""
    return main("agent_registry_mcp", Settings, create)


if __name__ == "__main__":
    raise SystemExit(run())
