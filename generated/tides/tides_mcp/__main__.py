"""`python -m tides_mcp` serves the Tides API as MCP over HTTP."""

from tides_mcp._runtime.server.cli import main
from tides_mcp.server import create
from tides_mcp.settings import Settings


def run() -> int:
    """Serves until stopped by a signal; returns the exit code."""
    return main("tides_mcp", Settings, create)


if __name__ == "__main__":
    raise SystemExit(run())
