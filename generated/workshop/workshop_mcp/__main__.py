"""`python -m workshop_mcp` serves the Workshop API as MCP over HTTP."""

from workshop_mcp._runtime.server.cli import main
from workshop_mcp.server import create
from workshop_mcp.settings import Settings


def run() -> int:
    """Serves until stopped by a signal; returns the exit code."""
    return main("workshop_mcp", Settings, create)


if __name__ == "__main__":
    raise SystemExit(run())
