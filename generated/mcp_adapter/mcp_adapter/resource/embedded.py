"""The resource server in the process of the adapter, for an adapter without another archive."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

import uvicorn

from mcp_adapter.resource.app import create

HOST, PORT = "127.0.0.1", 8791
ADDRESS = f"http://{HOST}:{PORT}"
"""The address of the archive, also `upstream` in mcpgen.toml."""


@asynccontextmanager
async def serve_embedded() -> AsyncIterator[None]:
    """Serves the archive while the context is open. Raises `OSError` if the port is taken."""
    config = uvicorn.Config(create(), log_config=None, lifespan="off", timeout_graceful_shutdown=1)
    server = _ServerWithoutSignals(config)
    with _listen() as listener:
        serving = asyncio.create_task(server.serve([listener]))
        try:
            yield
        finally:
            server.should_exit = True
            await serving


class _ServerWithoutSignals(uvicorn.Server):
    """A uvicorn server that installs no signal handlers, because the adapter handles signals."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Installs no signal handlers."""
        yield


def _listen() -> socket.socket:
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    # Several workers or adapters on a machine serve the same samples at the same address.
    listener.setsockopt(socket.SOL_SOCKET, getattr(socket, "SO_REUSEPORT", socket.SO_REUSEADDR), 1)
    try:
        listener.bind((HOST, PORT))
        listener.listen()
    except OSError:
        listener.close()
        raise
    return listener
