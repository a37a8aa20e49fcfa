"""A connection on which the head of an answer and its body travel together."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.auto import AutoHTTPProtocol

LARGEST = 64 * 1024
"""How many bytes wait for others at most."""


class CoalescingProtocol(AutoHTTPProtocol):  # type: ignore[misc,valid-type]
    """uvicorn's protocol, which writes an answer in pieces, over a transport that joins them."""

    send_seconds: float = 30
    """How long a client may take to read what was written when the connection is closed."""

    def connection_made(self, transport: asyncio.Transport) -> None:
        """Begins."""
        self._joined = CoalescingTransport(transport, self.send_seconds)
        super().connection_made(self._joined)

    def eof_received(self) -> None:
        """Writes what is still to be written: the connection is closed as soon as this is over."""
        self._joined.flush()
        super().eof_received()


class CoalescingTransport:
    """A transport that writes at once what it is given in one turn of the event loop: each write is a
    call of the system, and a packet that wakes the client."""

    def __init__(self, transport: asyncio.Transport, send_seconds: float) -> None:
        self._transport = transport
        self._send_seconds = send_seconds
        self.is_closing = transport.is_closing
        self._loop = asyncio.get_running_loop()
        self._pieces: list[bytes] = []
        self._size = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def write(self, piece: bytes) -> None:
        """Takes a piece, which is written in this turn of the loop."""
        if not self._pieces:
            self._loop.call_soon(self.flush)
        self._pieces.append(piece)
        self._size += len(piece)
        if self._size > LARGEST:
            self.flush()

    def close(self) -> None:
        """Closes the connection once all is written, and at the latest after `send_seconds`."""
        self.flush()
        self._transport.close()
        if self._transport.get_write_buffer_size():
            self._loop.call_later(self._send_seconds, self._transport.abort)

    def flush(self) -> None:
        """Writes all it has been given."""
        pieces, self._pieces, self._size = self._pieces, [], 0
        if pieces and not self._transport.is_closing():
            self._transport.writelines(pieces)
