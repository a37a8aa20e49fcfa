"""`python -m mcp_adapter` serves the MCP adapter as MCP over HTTP."""

from mcp_adapter._runtime.server.cli import main
from mcp_adapter.server import create
from mcp_adapter.settings import Settings


def run() -> int:
    """Serves until stopped by a signal; returns the exit code."""
    return main("mcp_adapter", Settings, create)


if __name__ == "__main__":
    raise SystemExit(run())
