"""`python -m launchpad_mcp` serves the Launchpad API as MCP over HTTP."""

from launchpad_mcp._runtime.server.cli import main
from launchpad_mcp.server import create
from launchpad_mcp.settings import Settings


def run() -> int:
    """Serves until stopped by a signal; returns the exit code."""
    return main("launchpad_mcp", Settings, create)


if __name__ == "__main__":
    raise SystemExit(run())
