"""`python -m pressroom_mcp` serves the Pressroom API as MCP over HTTP."""

from pressroom_mcp._runtime.server.cli import main
from pressroom_mcp.server import create
from pressroom_mcp.settings import Settings


def run() -> int:
    """Serves until stopped by a signal; returns the exit code."""
    return main("pressroom_mcp", Settings, create)


if __name__ == "__main__":
    raise SystemExit(run())
