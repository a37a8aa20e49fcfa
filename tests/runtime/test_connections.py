"""Connections of slow clients end, and never block probes or other clients."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from typing import Any
from urllib.parse import urlsplit

import pytest
import uvicorn
from tests.runtime.conftest import CanarySettings
from tests.runtime.resource_server import serve_shop
from uvicorn.server import ServerState

from mcpgen_runtime.hooks import Call, Hooks
from mcpgen_runtime.result import Result
from mcpgen_runtime.server.connections import CoalescingTransport, Connections, TimedProtocol
from mcpgen_runtime.tool import Hints, Route, Tool

pytestmark = pytest.mark.anyio

SHORT = 0.1
LONG = 600

HEALTH = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
POST = b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"


def message(method: str, **params: Any) -> bytes:
    """Returns an HTTP request of MCP."""
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()
    head = b"Accept: application/json\r\nContent-Length: %d\r\n\r\n" % len(body)
    return POST + head + body


class RawConnection:
    """A raw connection to a server."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    def send(self, data: bytes) -> None:
        """Sends bytes unchanged."""
        self.writer.write(data)

    async def answer(self) -> bytes:
        """Reads one response with its body."""
        head = await asyncio.wait_for(self.reader.readuntil(b"\r\n\r\n"), 120)
        lines = dict(line.split(b": ", 1) for line in head.lower().split(b"\r\n")[1:-2])
        return head + await self.reader.readexactly(int(lines[b"content-length"]))

    async def rest(self) -> bytes:
        """Reads until the server closes the connection, and keeps what came before a reset:
        a client that still sends when the server closes gets the answer and then a reset."""
        pieces: list[bytes] = []
        with suppress(ConnectionError):
            while piece := await asyncio.wait_for(self.reader.read(65_536), 120):
                pieces.append(piece)
        return b"".join(pieces)

    async def drip(self, piece: bytes) -> bytes:
        """Reads until the server closes the connection, and sends a piece again and again until
        then."""
        rest_task = asyncio.create_task(self.rest())
        while not (await asyncio.wait((rest_task,), timeout=SHORT / 5))[0]:
            self.send(piece)
        return rest_task.result()


@asynccontextmanager
async def connect(url: str) -> AsyncIterator[RawConnection]:
    """Yields a connection to the server at a URL."""
    parts = urlsplit(url)
    reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
    try:
        yield RawConnection(reader, writer)
    finally:
        writer.transport.abort()


def serving(**settings: Any) -> Any:
    """Runs a server whose default time-outs are too long to matter in a test."""
    server_settings = {
        "header_seconds": LONG,
        "body_seconds": LONG,
        "idle_seconds": LONG,
        **settings,
    }
    return serve_shop("http://127.0.0.1:9", (), **server_settings)


async def test_connection_on_which_nothing_comes_is_closed_without_an_answer() -> None:
    async with serving(header_seconds=SHORT) as url, connect(url) as connection:
        assert await connection.rest() == b""


async def test_header_that_does_not_end_is_answered_with_408() -> None:
    async with serving(header_seconds=SHORT) as url, connect(url) as connection:
        connection.send(POST)

        answer = await connection.rest()

    assert answer.startswith(b"HTTP/1.1 408 Request Timeout\r\n")


async def test_header_that_comes_byte_by_byte_has_the_same_time() -> None:
    async with serving(header_seconds=SHORT) as url, connect(url) as connection:
        connection.send(POST + b"X-Slow: ")

        assert b" 408 " in await connection.drip(b"x")


async def test_second_header_of_a_connection_has_the_same_time() -> None:
    async with serving(header_seconds=SHORT) as url, connect(url) as connection:
        connection.send(HEALTH)
        first_answer = await connection.answer()
        connection.send(b"GET /healthz HTTP/1.1\r\nX-Slow: ")

        remainder = await connection.drip(b"x")

    assert b" 200 " in first_answer
    assert b" 408 " in remainder


async def test_body_that_does_not_end_is_answered_with_408() -> None:
    async with serving(body_seconds=SHORT) as url, connect(url) as connection:
        connection.send(POST + b'Content-Length: 1000\r\n\r\n{"jsonrpc"')

        assert b" 408 " in await connection.rest()


async def test_chunked_body_that_comes_byte_by_byte_has_the_same_time() -> None:
    async with serving(body_seconds=SHORT) as url, connect(url) as connection:
        connection.send(POST + b"Transfer-Encoding: chunked\r\n\r\n")

        assert b" 408 " in await connection.drip(b"1\r\n \r\n")


async def test_rest_of_a_body_that_was_refused_already_has_the_same_time() -> None:
    async with (
        serving(body_seconds=SHORT, request_bytes=100) as url,
        connect(url) as connection,
    ):
        connection.send(POST + b"Content-Length: 100000\r\n\r\n")
        refusal = await connection.answer()

        remainder = await connection.drip(b"x")

    assert b" 413 " in refusal
    assert remainder == b""


async def test_connection_without_another_request_is_closed() -> None:
    async with serving(idle_seconds=SHORT) as url, connect(url) as connection:
        connection.send(HEALTH)

        answer = await connection.rest()

    assert answer.count(b"HTTP/1.1 ") == 1
    assert b" 200 " in answer


async def test_no_time_out_runs_while_the_server_works() -> None:
    async def answer_slowly(call: Call) -> Result:
        await asyncio.sleep(2 * SHORT)
        return Result.text("done")

    tool = Tool("slow", "", "", Route("GET", "/slow"), Hints(True, False, True))
    seconds: dict[str, Any] = {
        "header_seconds": SHORT,
        "body_seconds": SHORT,
        "idle_seconds": SHORT,
    }
    hooks = Hooks({"slow": answer_slowly})
    async with (
        serve_shop("http://127.0.0.1:9", (), tools=(tool,), hooks=hooks, **seconds) as url,
        connect(url) as connection,
    ):
        connection.send(message("tools/call", name="slow") * 2)

        answers = [await connection.answer(), await connection.answer()]

    assert [b'"done"' in answer for answer in answers] == [True, True]


class Unread(asyncio.Transport):
    """Transport to a client that never reads."""

    def __init__(self) -> None:
        super().__init__({"peername": ("127.0.0.1", 9)})
        self.aborted = asyncio.Event()
        self.closed = False

    def write(self, data: Any) -> None:
        """Discards the data."""

    def writelines(self, pieces: Any) -> None:
        """Discards the data."""

    def get_write_buffer_size(self) -> int:
        """Claims one unsent byte."""
        return 1

    def is_closing(self) -> bool:
        """True behind `close`."""
        return self.closed

    def close(self) -> None:
        """Would close the connection after the last byte; with one unsent byte, never."""
        self.closed = True

    def abort(self) -> None:
        """Ends the connection."""
        self.aborted.set()


def protocol(**settings: Any) -> TimedProtocol:
    """Returns a connection of a server with these settings."""
    config = uvicorn.Config(answer_nothing, lifespan="off", log_config=None)
    bounds = Connections(CanarySettings(**settings))
    return TimedProtocol(bounds, config=config, server_state=ServerState(), app_state={})


async def answer_nothing(scope: Any, receive: Any, send: Any) -> None:
    """Answers nothing."""


async def test_client_that_reads_no_answer_is_cut_off() -> None:
    transport, connection = Unread(), protocol(send_seconds=SHORT)
    connection.connection_made(transport)

    connection.pause_writing()

    await asyncio.wait_for(transport.aborted.wait(), 120)


async def test_closed_connection_whose_answer_is_unread_is_cut_off() -> None:
    transport, connection = Unread(), protocol(send_seconds=SHORT)
    connection.connection_made(transport)

    connection.transport.close()

    await asyncio.wait_for(transport.aborted.wait(), 120)


async def test_connections_beyond_the_bound_close_those_that_wait_longest() -> None:
    async with AsyncExitStack() as stack:
        url = await stack.enter_async_context(serving(connections_at_once=4))
        halves = [await stack.enter_async_context(connect(url)) for _ in range(20)]
        for half in halves:
            half.send(POST)
        raw_connection = await stack.enter_async_context(connect(url))
        raw_connection.send(HEALTH)

        answer = await raw_connection.answer()
        closed = [await half.rest() for half in halves[:-3]]
        halves[-1].send(b"Content-Length: 2\r\n\r\n{}")
        last = await halves[-1].answer()

    assert b" 200 " in answer
    assert closed == [b""] * 17
    assert b" 400 " in last


async def test_probes_are_answered_while_all_connections_have_calls_under_way() -> None:
    semaphore, go_on = asyncio.Semaphore(0), asyncio.Event()

    async def hold(call: Call) -> Result:
        semaphore.release()
        await go_on.wait()
        return Result.text("done")

    tool = Tool("hold", "", "", Route("GET", "/hold"), Hints(True, False, True))
    async with AsyncExitStack() as stack:
        url = await stack.enter_async_context(
            serving(connections_at_once=2, tools=(tool,), hooks=Hooks({"hold": hold}))
        )
        calls = [await stack.enter_async_context(connect(url)) for _ in range(2)]
        for call in calls:
            call.send(message("tools/call", name="hold"))
            await semaphore.acquire()
        probe = await stack.enter_async_context(connect(url))
        probe.send(HEALTH)
        health_response = await probe.answer()
        probe.send(message("tools/list"))
        refusal = await probe.rest()
        go_on.set()
        results = [await call.answer() for call in calls]

    assert b" 200 " in health_response
    assert refusal.startswith(b"HTTP/1.1 503 ")
    assert b"retry-after: 1\r\n" in refusal
    assert [b'"done"' in result for result in results] == [True, True]


async def test_connection_closes_after_an_empty_last_piece() -> None:
    closed = asyncio.Event()

    class Closing(asyncio.Protocol):
        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            assert isinstance(transport, asyncio.Transport)
            coalescing = CoalescingTransport(transport, 60)
            coalescing.write(b"bytes")
            coalescing.write(b"")
            coalescing.close()

        def connection_lost(self, _: Exception | None) -> None:
            closed.set()

    server = await asyncio.get_running_loop().create_server(Closing, "127.0.0.1", 0)
    async with server:
        reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
        assert await asyncio.wait_for(reader.read(), 10) == b"bytes"
        writer.close()
        await asyncio.wait_for(closed.wait(), 10)
