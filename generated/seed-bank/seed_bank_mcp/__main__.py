"""`python -m seed_bank_mcp` serves the Seed Bank API as MCP over HTTP."""

from seed_bank_mcp._runtime.server.cli import main
from seed_bank_mcp.server import create
from seed_bank_mcp.settings import Settings


def run() -> int:
    """Serves until stopped by a signal; returns the exit code."""
    return main("seed_bank_mcp", Settings, create)


if __name__ == "__main__":
    raise SystemExit(run())
