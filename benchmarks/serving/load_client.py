"""A client that repeats the same request over kept-alive connections, with little processor time."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field

_HEAD_END = b"\r\n\r\n"
_LENGTH = b"content-length: "


class UnexpectedResponse(Exception):
    """A response without a JSON-RPC result; the text is the start of the response."""


@dataclass
class _Round:
    """State that the connections of a round share; `ends` is a time of `perf_counter`."""

    request: bytes
    ends: float
    answered: int = 0
    fault: str = ""


@dataclass
class _Connection(asyncio.Protocol):
    """A connection that sends requests until the round ends."""

    round: _Round
    done: asyncio.Future[None]
    received: bytearray = field(default_factory=bytearray)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Sends the first request."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._needed = 0
        transport.write(self.round.request)

    def data_received(self, data: bytes) -> None:
        """Sends the next request after a complete response."""
        self.received += data
        if not self._needed:
            end = self.received.find(_HEAD_END)
            if end < 0:
                return
            self._needed = self._length(bytes(self.received[:end]).lower(), end)
        if len(self.received) < self._needed:
            return
        if b'"result"' not in self.received[: self._needed]:
            self.round.fault = bytes(self.received[:600]).decode("latin-1")
        self.received.clear()
        self._needed = 0
        self.round.answered += 1
        if self.round.fault or time.perf_counter() >= self.round.ends:
            self._transport.close()
        else:
            self._transport.write(self.round.request)

    def connection_lost(self, _: Exception | None) -> None:
        """Resolves `done`."""
        if not self.done.done():
            self.done.set_result(None)

    def _length(self, head: bytes, end: int) -> int:
        _, separator, after_length = head.partition(_LENGTH)
        if not separator:
            self.round.fault = f"a response without a length: {head.decode('latin-1')}"
            return len(self.received)
        return end + len(_HEAD_END) + int(after_length.partition(b"\r\n")[0])


async def send_requests(port: int, request: bytes, seconds: float, connections: int = 16) -> int:
    """Sends `request` for this time; returns the number of responses. Raises `UnexpectedResponse`."""
    loop = asyncio.get_running_loop()
    round = _Round(request, time.perf_counter() + seconds)
    dones = [loop.create_future() for _ in range(connections)]
    for done in dones:
        await loop.create_connection(lambda done=done: _Connection(round, done), "127.0.0.1", port)  # type: ignore[misc]
    await asyncio.gather(*dones)
    if round.fault:
        raise UnexpectedResponse(round.fault)
    return round.answered
