# Copied by mcpgen from mcpgen-runtime; changes belong in hooks.py or mcpgen.toml.
"""Time limits and a maximum for client connections. uvicorn closes only a connection that stays
silent after a response. A client that never completes a header or a body (slowloris), or that reads
no response, would hold a connection and an open file without end."""

from __future__ import annotations

import asyncio
import logging
import time
from typing import Any

from uvicorn.protocols.http.auto import AutoHTTPProtocol

from ..settings import ServerSettings
from .app import PATHS
from .asgi import Asgi, Receive, Scope, Send, respond, rpc_error

MAX_BUFFERED_BYTES = 64 * 1024  # Maximum bytes collected before a write


class CoalescingTransport:
    """A transport that joins the writes of one event loop turn: each write costs a system call, and
    a packet that wakes the client."""

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
        """Queues a piece, written in this turn of the loop."""
        # Since Python 3.12 an empty last piece stays in asyncio's buffer, and the connection open.
        if not piece:
            return
        if not self._pieces:
            self._loop.call_soon(self.flush)
        self._pieces.append(piece)
        self._size += len(piece)
        if self._size > MAX_BUFFERED_BYTES:
            self.flush()

    def close(self) -> None:
        """Flushes and closes; aborts after `send_seconds`."""
        self.flush()
        self._transport.close()
        if self._transport.get_write_buffer_size():
            self._loop.call_later(self._send_seconds, self._transport.abort)

    def flush(self) -> None:
        """Writes all queued pieces."""
        pieces, self._pieces, self._size = self._pieces, [], 0
        if pieces and not self._transport.is_closing():
            self._transport.writelines(pieces)


logger = logging.getLogger(__name__)

WARNING_SECONDS = 60  # Seconds between two warnings about the connection limit

_SILENT = "silent"
_HEADER = "header"
_IDLE = "idle"

_TIMEOUT = (
    b"HTTP/1.1 408 Request Timeout\r\ncontent-type: text/plain; charset=utf-8\r\n"
    b"content-length: 15\r\nconnection: close\r\n\r\nRequest Timeout"
)


class Connections:
    """The limits of a process, and the connections that wait for the client, longest first."""

    def __init__(self, settings: ServerSettings) -> None:
        self.header_seconds = settings.header_seconds
        self.body_seconds = settings.body_seconds
        self.idle_seconds = settings.idle_seconds
        self.send_seconds = settings.send_seconds
        self.max_connections = min(settings.connections_at_once, _half_of_open_files())
        self.waiting_connections: dict[TimedProtocol, None] = {}
        self._setting = settings.variable("connections_at_once")
        self._warned_at = float("-inf")

    def make_room(self) -> bool:
        """Closes the connection that has waited longest for the client; False if none waits."""
        self._warn()
        for connection in self.waiting_connections:
            connection.transport.abort()
            connection.stop_waiting()
            return True
        return False

    def _warn(self) -> None:
        now = time.monotonic()
        if now - self._warned_at >= WARNING_SECONDS:
            self._warned_at = now
            logger.warning(
                "All %d connections are open (%s, and at most half of `ulimit -n`): the one that waits longest"
                " for its client is closed for each new one",
                self.max_connections,
                self._setting,
            )


class TimedProtocol(AutoHTTPProtocol):  # type: ignore[misc,valid-type]
    """Closes a connection whose client takes too long to send a header, a body or the next request,
    or to read a response. No timeout runs while the server works on a request."""

    def __init__(self, bounds: Connections, **uvicorn: Any) -> None:
        super().__init__(**uvicorn)
        self.app: Asgi
        self.timeout_keep_alive = bounds.idle_seconds
        self._bounds = bounds
        self._waits_for: object = None
        self._timer: asyncio.TimerHandle | None = None
        self._send_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:
        """Adds a connection. Above the maximum, closes a waiting connection, or answers only probes
        on the new connection."""
        self._coalescing_transport = CoalescingTransport(transport, self._bounds.send_seconds)
        super().connection_made(self._coalescing_transport)
        if len(self.connections) > self._bounds.max_connections and not self._bounds.make_room():
            self.app = _probes_only(self.app)
        self._start_waiting(_SILENT)

    def eof_received(self) -> None:
        """Flushes before the connection is closed."""
        self._coalescing_transport.flush()
        super().eof_received()

    def data_received(self, data: bytes) -> None:
        """Handles received data."""
        super().data_received(data)
        self._start_waiting(self._expected_part())

    def on_response_complete(self) -> None:
        """Continues with the next request."""
        super().on_response_complete()
        self._start_waiting(self._expected_part())

    def connection_lost(self, exc: Exception | None) -> None:
        """Stops all timers."""
        super().connection_lost(exc)
        self.stop_waiting()
        self._stop_send_timer()

    def pause_writing(self) -> None:
        """Starts the `send_seconds` timeout."""
        super().pause_writing()
        self._stop_send_timer()
        self._send_timer = self.loop.call_later(self._bounds.send_seconds, self.transport.abort)

    def resume_writing(self) -> None:
        """Stops the send timeout."""
        super().resume_writing()
        self._stop_send_timer()

    def stop_waiting(self) -> None:
        """Stops waiting for the client."""
        self._start_waiting(None)

    def _expected_part(self) -> object:
        """The part of a request that the client must send next: `_HEADER`, the uvicorn cycle with
        an incomplete body, `_IDLE` between requests, None while a request is answered."""
        cycle = self.cycle
        if self.transport.is_closing():
            return None
        if cycle is not None and cycle.more_body:
            # Also after a response sent before the end of the body.
            return cycle
        if cycle is not None and not cycle.response_complete:
            return None
        return _IDLE if self.timeout_keep_alive_task else _HEADER

    def _start_waiting(self, part: object) -> None:
        """Starts the timeout for a part of a request. Further bytes of the same part do not extend
        the timeout."""
        if part is self._waits_for:
            return
        if self._timer:
            self._timer.cancel()
            self._timer = None
        self._waits_for = part
        self._bounds.waiting_connections.pop(self, None)
        if part is not None:
            self._bounds.waiting_connections[self] = None
            if part is not _IDLE:
                self._start_timer()

    def _start_timer(self) -> None:
        bounds = self._bounds
        is_header = self._waits_for in (_SILENT, _HEADER)
        seconds = bounds.header_seconds if is_header else bounds.body_seconds
        self._timer = self.loop.call_later(seconds, self._expire)

    def _expire(self) -> None:
        if self.flow.read_paused:
            # The server itself has paused reading.
            self._start_timer()
            return
        has_begun = self._waits_for is not _SILENT
        if has_begun and (self._waits_for is _HEADER or not self.cycle.response_started):
            self.transport.write(_TIMEOUT)
        self.transport.close()

    def _stop_send_timer(self) -> None:
        if self._send_timer:
            self._send_timer.cancel()
            self._send_timer = None


def _probes_only(app: Asgi) -> Asgi:
    """Answers probes, and 503 otherwise, while all other connections have requests in progress."""

    async def answer_probes(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["path"] in PATHS:
            await app(scope, receive, send)
            return
        headers = ((b"retry-after", b"1"), (b"connection", b"close"))
        await respond(send, 503, rpc_error("All connections of this server are in use"), headers)

    return answer_probes


def _half_of_open_files() -> float:
    """Half of the open file limit, so that upstream connections get the other half."""
    try:
        import resource
    except ImportError:
        # Windows has no such limit.
        return float("inf")
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return float("inf") if files == resource.RLIM_INFINITY else files // 2
