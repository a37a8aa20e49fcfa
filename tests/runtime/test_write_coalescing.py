"""Writes in one turn of the event loop are sent together."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Iterable
from functools import partial
from typing import Any, cast

import pytest
import uvicorn

from mcpgen_runtime.server.connections import (
    MAX_BUFFERED_BYTES,
    CoalescingTransport,
    Connections,
    TimedProtocol,
)
from mcpgen_runtime.settings import ServerSettings

pytestmark = pytest.mark.anyio


class Wire(asyncio.Transport):
    """Transport that records each write separately."""

    def __init__(self) -> None:
        super().__init__({"peername": ("127.0.0.1", 9)})
        self.written: list[bytes] = []
        self.closed = False

    def writelines(self, pieces: Iterable[Any]) -> None:
        """Records the joined pieces as one write."""
        self.written.append(b"".join(pieces))

    def get_write_buffer_size(self) -> int:
        """Claims an empty buffer."""
        return 0

    def is_closing(self) -> bool:
        """True if the transport is closed."""
        return self.closed

    def close(self) -> None:
        """Ends."""
        self.closed = True


async def test_the_pieces_of_one_turn_are_written_once() -> None:
    wire = Wire()
    transport = CoalescingTransport(wire, 30)

    transport.write(b"head ")
    transport.write(b"body")
    before = [*wire.written]
    await asyncio.sleep(0)
    transport.write(b"next")
    await asyncio.sleep(0)

    assert (before, wire.written) == ([], [b"head body", b"next"])


async def test_what_is_large_waits_for_nothing() -> None:
    wire = Wire()
    transport = CoalescingTransport(wire, 30)

    transport.write(b"head ")
    transport.write(b"x" * MAX_BUFFERED_BYTES)

    assert wire.written == [b"head " + b"x" * MAX_BUFFERED_BYTES]


async def test_a_connection_is_closed_after_what_was_written() -> None:
    wire = Wire()
    transport = CoalescingTransport(wire, 30)

    transport.write(b"head")
    transport.close()
    written_parts = [*wire.written]
    await asyncio.sleep(0)

    assert wire.closed
    assert wire.written == written_parts == [b"head"]


async def test_nothing_is_written_to_a_connection_that_is_gone() -> None:
    wire = Wire()
    transport = CoalescingTransport(wire, 30)

    transport.write(b"head")
    wire.close()
    await asyncio.sleep(0)

    assert wire.written == []


async def test_all_else_is_the_transport_s() -> None:
    assert CoalescingTransport(Wire(), 30).get_extra_info("peername") == ("127.0.0.1", 9)


async def app(scope: Any, receive: Any, send: Any) -> None:
    """Answers with a delay of 0.2 s that blocks the loop, when the client has sent everything."""
    time.sleep(0.2)
    await send(
        {"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]}
    )
    await send({"type": "http.response.body", "body": b"ok"})


def send_requests(port: int, *requests: bytes) -> bytes:
    """Sends requests in one write, closes the sending side, and returns the bytes read."""
    with socket.create_connection(("127.0.0.1", port), timeout=120) as client:
        client.sendall(b"".join(requests))
        client.shutdown(socket.SHUT_WR)
        return b"".join(iter(lambda: client.recv(4096), b""))


async def test_a_client_that_sends_no_more_gets_its_answer() -> None:
    protocol = cast("type[asyncio.Protocol]", partial(TimedProtocol, Connections(ServerSettings())))
    server = uvicorn.Server(
        uvicorn.Config(app, port=0, http=protocol, log_level="error", lifespan="off")
    )
    serving = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]

    got = await asyncio.to_thread(send_requests, port, b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
    server.should_exit = True
    await serving

    assert got.startswith(b"HTTP/1.1 200 OK")
    assert got.endswith(b"ok")
