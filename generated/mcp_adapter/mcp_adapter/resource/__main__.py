"""`python -m mcp_adapter.resource` serves the archive alone, on the loopback."""

from __future__ import annotations

import argparse

import uvicorn

from mcp_adapter.resource.app import create
from mcp_adapter.resource.embedded import HOST, PORT


def run() -> None:
    """Serves until a signal stops the process."""
    parser = argparse.ArgumentParser(prog="python -m mcp_adapter.resource", description=__doc__)
    parser.add_argument("--port", type=int, default=PORT, help="the port to listen on")
    uvicorn.run(create(), host=HOST, port=parser.parse_args().port, log_level="info")


if __name__ == "__main__":
    run()
