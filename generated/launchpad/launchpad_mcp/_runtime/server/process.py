# Copied by mcpgen from mcpgen-runtime; changes belong in hooks.py or mcpgen.toml.
"""A uvicorn server that finishes running requests before the end."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import signal
import socket
import time
from collections.abc import Callable, Sequence
from functools import partial
from selectors import EVENT_READ, DefaultSelector
from types import FrameType
from typing import cast

import uvicorn
from sse_starlette.sse import AppStatus

from ..observability.logs import flush_all
from .app import App
from .connections import Connections, TimedProtocol

logger = logging.getLogger(__name__)

CLOSE = ("connection", "close")  # Ends a connection after the response

LINGER_SECONDS = 1
"""Seconds for which open connections may still send a request after the last accepted connection.
Counted in steps of the event loop, so that a pause of the process does not use the time up."""

_TURNS, _MAX_TURNS = 4, 5_000
"""Event loop turns until an accepted connection belongs to the server (asyncio drops connections that
were only accepted when the server is closed), and the most turns while clients keep connecting."""


class DrainingServer(uvicorn.Server):
    """The server of one process.

    On a signal, continues for `drain_seconds`, then accepts no new connections and finishes running
    calls within `grace_seconds`. A second signal ends the server at once, except under a
    supervisor, which handles signals and expects a `beat` each second. `restarts` is true if the
    process executes the program again after the end.
    """

    def __init__(
        self,
        app: App,
        started_serving: Callable[[], None],
        beat: Callable[[], None] | None = None,
    ) -> None:
        super().__init__(_config(app))
        # The SDK would end streams half a second after the signal, and running calls would lose
        # their responses; here the app ends endless streams.
        AppStatus.enable_automatic_graceful_drain = False
        self._app = app
        self._drain_seconds = app.settings.drain_seconds
        self._lingers = beat is not None or self._drain_seconds > 0
        self._beat = beat
        self.restarts = False
        self._started_serving = started_serving
        self._stop_signal: tuple[int, float] | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Starts listening and reports the start."""
        await super().startup(sockets)
        if self.started:
            # Excludes startup objects from garbage collection: each full collection would delay all
            # requests by some hundredths of a second.
            gc.freeze()
            self._started_serving()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Handles a signal to end."""
        if self._beat and (self._app.draining or sig != signal.SIGTERM):
            # A terminal or service manager sends signals to supervisor and workers alike.
            return
        if self._app.draining:
            signal.signal(sig, signal.SIG_DFL)
            signal.raise_signal(sig)
        self._app.draining = True
        self._close_connections()
        self.restarts = False
        self._stop_signal = (sig, time.monotonic() + self._drain_seconds)
        if not self._drain_seconds:
            super().handle_exit(sig, frame)

    def give_way(self) -> None:
        """Ends without draining and without failing probes: another process serves the same
        address."""
        self._close_connections()
        super().handle_exit(signal.SIGTERM, None)

    def restart(self) -> bool:
        """Ends without failing probes, since the same process serves again soon; False if already
        ending."""
        if self._app.draining or self.should_exit:
            return False
        self._close_connections()
        self.restarts = self._lingers = self.should_exit = True
        return True

    def _close_connections(self) -> None:
        """Adds `Connection: close` to all further responses, also of requests in progress."""
        if CLOSE in self.config.headers:
            return
        # uvicorn reads `headers` at its start, which a signal may precede.
        self.config.headers.append(CLOSE)
        close = [(CLOSE[0].encode(), CLOSE[1].encode())]
        self.config.encoded_headers += close
        connections = self.server_state.connections
        running = [getattr(connection, "cycle", None) for connection in connections]
        for holder in filter(None, (self.server_state, *running)):
            holder.default_headers = holder.default_headers + close

    async def on_tick(self, counter: int) -> bool:
        """Returns True to end; called ten times a second."""
        if self._beat and counter % 10 == 0:
            self._beat()
        if self._stop_signal and not self.should_exit and time.monotonic() >= self._stop_signal[1]:
            super().handle_exit(self._stop_signal[0], None)
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Ends after the requests in transit."""
        self._app.disconnect_clients()
        if self._lingers:
            await _wait_until_accepted(sockets or ())
            for server in self.servers:
                server.close()
            # A connection just accepted appears in `connections` a few loop turns later.
            for _ in range(round(LINGER_SECONDS / 0.02)):
                await asyncio.sleep(0.02)
                if not self.server_state.connections:
                    break
        await super().shutdown(sockets)
        gc.unfreeze()
        logger.info("Process %d has stopped", os.getpid())
        # uvicorn raises the received signal again, which ends the process here.
        flush_all()


async def _wait_until_accepted(sockets: Sequence[socket.socket]) -> None:
    """Waits until the accept queues are empty, at most `_MAX_TURNS`: closing a socket would reset
    queued connections with their requests."""
    with DefaultSelector() as selector:
        for sock in sockets:
            selector.register(sock, EVENT_READ)
        turns, remaining = 0, _MAX_TURNS
        while turns < _TURNS and remaining:
            await asyncio.sleep(0)
            turns, remaining = 0 if sockets and selector.select(0) else turns + 1, remaining - 1


def _config(app: App) -> uvicorn.Config:
    settings = app.settings
    # uvicorn would trust local clients' headers about the client address.
    return uvicorn.Config(
        app,
        interface="asgi3",
        http=cast("type[asyncio.Protocol]", partial(TimedProtocol, Connections(settings))),
        ws="none",
        lifespan="on",
        log_config=None,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=settings.grace_seconds,
    )
