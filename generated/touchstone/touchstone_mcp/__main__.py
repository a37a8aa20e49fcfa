"""`python -m touchstone_mcp` serves the Touchstone as MCP over HTTP."""

from touchstone_mcp._runtime.server.cli import main
from touchstone_mcp.server import create
from touchstone_mcp.settings import Settings


def run() -> int:
    """Serves until stopped by a signal; returns the exit code."""
    return main("touchstone_mcp", Settings, create)


if __name__ == "__main__":
    raise SystemExit(run())
