"""`python -m tests.examples.agent_registry.registry`: the registry on a port of this machine."""

from __future__ import annotations

import argparse

import uvicorn
from tests.examples.agent_registry.registry.app import create


def main() -> None:
    """Serves until it is told to stop."""
    parser = argparse.ArgumentParser(description="A registry of agents and MCP servers.")
    parser.add_argument("--port", type=int, default=8100)
    parser.add_argument("--database", default="registry.sqlite")
    asked = parser.parse_args()
    uvicorn.run(create(asked.database), port=asked.port, log_level="warning")


if __name__ == "__main__":
    main()
