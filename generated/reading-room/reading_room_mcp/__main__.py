"""`python -m reading_room_mcp` serves the Reading Room API as MCP over HTTP."""

from reading_room_mcp._runtime.server.cli import main
from reading_room_mcp.server import create
from reading_room_mcp.settings import Settings


def run() -> int:
    """Serves until stopped by a signal; returns the exit code."""
    return main("reading_room_mcp", Settings, create)


if __name__ == "__main__":
    raise SystemExit(run())
