"""Process of a running server: garbage collection, and connections pending at shutdown."""

from __future__ import annotations

import asyncio
import gc
import json
import socket
import time

import pytest
from tests.runtime.conftest import CanarySettings
from tests.runtime.process_server import create
from tests.runtime.resource_server import serve_shop

from mcpgen_runtime.server.process import LINGER_SECONDS, DrainingServer

pytestmark = pytest.mark.anyio


async def test_what_a_server_starts_with_is_not_looked_through_for_garbage() -> None:
    gc.unfreeze()

    async with serve_shop("http://127.0.0.1:9", ()):
        frozen_count = gc.get_freeze_count()

    assert frozen_count > 0
    assert gc.get_freeze_count() == 0


@pytest.mark.parametrize("pause", [0, LINGER_SECONDS])
async def test_a_connection_that_waits_to_be_taken_when_the_server_ends_is_answered(
    pause: float,
) -> None:
    sock = socket.create_server(("127.0.0.1", 0))
    app = create(CanarySettings(upstream="http://127.0.0.1:9"))
    server = DrainingServer(app, lambda: None, beat=lambda: None)
    server.config.load()
    server.lifespan = server.config.lifespan_class(server.config)
    await server.startup([sock])
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping"})
    head = "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    head += f"Accept: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    # No await until the exit, so the server cannot accept the connections earlier.
    clients = [socket.create_connection(sock.getsockname(), timeout=120) for _ in range(5)]
    for client in clients:
        client.sendall((head + body).encode())
    server.should_exit = True
    # Stands for a pause of the process before the connections are accepted.
    asyncio.get_running_loop().call_soon(time.sleep, pause)
    await server.shutdown([sock])

    answers = [client.recv(4096) for client in clients]

    assert [answer[:15] for answer in answers] == [b"HTTP/1.1 200 OK"] * 5
    for client in clients:
        client.close()
