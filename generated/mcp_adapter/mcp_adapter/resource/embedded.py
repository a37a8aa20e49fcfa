"""The resource server beside the adapter, in the same process, where the adapter is told of no other."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

import uvicorn

from mcp_adapter.resource.app import create

HOST, PORT = "127.0.0.1", 8791
ADDRESS = f"http://{HOST}:{PORT}"
"""Where it is served; `upstream` in mcpgen.toml says the same."""


@asynccontextmanager
async def embedded() -> AsyncIterator[None]:
    """The time in which it is served. Raises `OSError` where something else has its port."""
    config = uvicorn.Config(create(), log_config=None, lifespan="off", timeout_graceful_shutdown=1)
    server = _Quiet(config)
    with _listening() as listener:
        serving = asyncio.create_task(server.serve([listener]))
        try:
            yield
        finally:
            server.should_exit = True
            await serving


class _Quiet(uvicorn.Server):
    """A server that leaves the signals to the adapter."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Captures none."""
        yield


def _listening() -> socket.socket:
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    # Several workers, or adapters, of one person serve the same samples at the same address.
    listener.setsockopt(socket.SOL_SOCKET, getattr(socket, "SO_REUSEPORT", socket.SO_REUSEADDR), 1)
    try:
        listener.bind((HOST, PORT))
        listener.listen()
    except OSError:
        listener.close()
        raise
    return listener
