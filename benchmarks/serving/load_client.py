"""A client without costs worth naming: the same bytes again and again over connections that are kept."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field

_HEAD_END = b"\r\n\r\n"
_LENGTH = b"content-length: "


class BadAnswer(Exception):
    """A server answered with something else than a result; the text is what it said."""


@dataclass
class _Round:
    """What the connections of one round have in common."""

    request: bytes
    ends: float
    answered: int = 0
    fault: str = ""


@dataclass
class _Connection(asyncio.Protocol):
    """A connection that asks until the round is over."""

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
        """Sends the next request once an answer is whole."""
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
        """Ends."""
        if not self.done.done():
            self.done.set_result(None)

    def _length(self, head: bytes, end: int) -> int:
        _, found, rest = head.partition(_LENGTH)
        if not found:
            self.round.fault = f"an answer without a length: {head.decode('latin-1')}"
            return len(self.received)
        return end + len(_HEAD_END) + int(rest.partition(b"\r\n")[0])


async def asked(port: int, request: bytes, seconds: float, connections: int = 16) -> int:
    """How many requests were answered in this time. Raises `BadAnswer`."""
    loop = asyncio.get_running_loop()
    round = _Round(request, time.perf_counter() + seconds)
    dones = [loop.create_future() for _ in range(connections)]
    for done in dones:
        await loop.create_connection(lambda done=done: _Connection(round, done), "127.0.0.1", port)  # type: ignore[misc]
    await asyncio.gather(*dones)
    if round.fault:
        raise BadAnswer(round.fault)
    return round.answered
