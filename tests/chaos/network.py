"""The network around the instances: an API that flaps, and a proxy in front of them."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

_TOOLS = {"POST": "order", "DELETE": "remove"}


@dataclass
class FlappingApi:
    """An API that counts writes. Answers 503 while `is_down`; else closes a share of connections before
    the request is read, after the request is read, or within the response."""

    random: random.Random
    cut_share: float = 0.1
    is_down: bool = False
    port: int = 0
    received: Counter[tuple[str, str]] = field(default_factory=Counter)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answers the requests of one connection."""
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
                cut_point = (
                    self.random.choice("123") if self.random.random() < self.cut_share else ""
                )
                if cut_point == "1":
                    break
                if self.is_down:
                    writer.write(b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n")
                    continue
                method, path, _ = head.split(" ", 2)
                self.received[_TOOLS[method], path.rpartition("/")[2]] += 1
                if cut_point == "2":
                    break
                body = b"{" if cut_point == "3" else b"{}"
                writer.write(
                    b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n"
                    + body
                )
                if cut_point == "3":
                    break
        writer.close()


@dataclass
class Proxy:
    """Connects each client to the next port in rotation."""

    ports: list[int] = field(default_factory=list)
    port: int = 0
    _next: int = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Copies both ways until both sides close. Connects when the request begins, like nginx: an
        instance that shuts down waits a second for the first bytes of a connection, and a loaded
        machine may need longer to pass the bytes on."""
        first = await reader.read(65536)
        if not first:
            writer.close()
            return
        self._next += 1
        port = self.ports[self._next % len(self.ports)]
        try:
            stream_reader, stream_writer = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            writer.close()
            return
        stream_writer.write(first)
        await asyncio.gather(_copy(reader, stream_writer), _copy(stream_reader, writer))


async def _copy(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    with suppress(ConnectionError):
        while data := await source.read(65536):
            target.write(data)
            await target.drain()
    target.close()


@asynccontextmanager
async def listen(counterpart: FlappingApi | Proxy) -> AsyncIterator[None]:
    """Listens on a free port while the body runs."""
    server = await asyncio.start_server(counterpart.serve, "127.0.0.1", 0)
    counterpart.port = server.sockets[0].getsockname()[1]
    async with server:
        yield
