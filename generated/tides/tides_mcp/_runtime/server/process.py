"""A server that finishes what it began before it ends."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import signal
import socket
import time
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from selectors import EVENT_READ, DefaultSelector
from types import FrameType
from typing import cast

import uvicorn
from sse_starlette.sse import AppStatus

from ..observability.logs import flush_all
from ..settings import ServerSettings
from .app import App
from .asgi import Asgi, Message, Receive, Scope, Send
from .connections import Connections, TimedProtocol

logger = logging.getLogger(__name__)

LINGER_SECONDS = 1
"""How long connections that are open when the last one was taken may still bring a request. Up to half
of it goes by until there is a moment in which no other is to be taken."""

_TURNS = 4
"""Of the event loop, after which a connection that was taken is one of the server: asyncio drops those
that it has only accepted when their server is closed."""


class ConnectionCloser:
    """The application, which tells clients that their connection ends with the answer once it is
    draining, as it tells probes, or once the process `ends` without anybody having to know."""

    def __init__(self, app: App, ends: Callable[[], bool]) -> None:
        self._app, self._ends = app, ends

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        """ASGI."""
        leaves = scope["type"] == "http" and (self._app.draining or self._ends())
        return self._app(scope, receive, _closing(send) if leaves else send)


def _closing(send: Send) -> Send:
    """Sends an answer after which the connection is closed."""

    async def closing(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = [*message.get("headers", ()), (b"connection", b"close")]
            message = {**message, "headers": headers}
        await send(message)

    return closing


class DrainingServer(uvicorn.Server):
    """The server of one process.

    Told to end, it answers for `drain_seconds` more, then takes no new connections and finishes the
    calls under way within `grace_seconds`. Told again, it ends at once, unless it has a supervisor,
    which sees to that and waits for a `beat` each second. `started_serving` is called when it serves.
    `restarts` tells that the process is to begin anew after the end.
    """

    def __init__(
        self,
        app: App,
        started_serving: Callable[[], None],
        beat: Callable[[], None] | None = None,
    ) -> None:
        super().__init__(_config(ConnectionCloser(app, lambda: self.should_exit), app.settings))
        # The SDK's streams would break off half a second after the server is told to end, and with
        # them calls under way lose their answers; here streams that never end are ended by the app.
        AppStatus.enable_automatic_graceful_drain = False
        self._app = app
        self._drain_seconds = app.settings.drain_seconds
        self._lingers = beat is not None or self._drain_seconds > 0
        self._beat = beat
        self.restarts = False
        self._started_serving = started_serving
        self._told: tuple[int, float] | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begins to listen, and says so."""
        await super().startup(sockets)
        if self.started:
            # What is there now stays. To look through it for garbage, again and again, would hold up
            # all requests for some hundredths of a second each time.
            gc.freeze()
            self._started_serving()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Takes a signal to end."""
        if self._beat and (self._app.draining or sig != signal.SIGTERM):
            # A terminal, or a service manager, tells the supervisor and the workers alike.
            return
        if self._app.draining:
            signal.signal(sig, signal.SIG_DFL)
            signal.raise_signal(sig)
        self._app.draining = True
        self.restarts = False
        self._told = (sig, time.monotonic() + self._drain_seconds)
        if not self._drain_seconds:
            super().handle_exit(sig, frame)

    def give_way(self) -> None:
        """Ends without going on for a while, and without a word to probes: another process serves at
        the same address already."""
        super().handle_exit(signal.SIGTERM, None)

    def restart(self) -> bool:
        """Ends without a word to probes, since the same process serves again in a moment; False if the
        server ends already."""
        if self._app.draining or self.should_exit:
            return False
        self.restarts = self._lingers = self.should_exit = True
        return True

    async def on_tick(self, counter: int) -> bool:
        """Whether to end, asked ten times a second."""
        if self._beat and counter % 10 == 0:
            self._beat()
        if self._told and not self.should_exit and time.monotonic() >= self._told[1]:
            super().handle_exit(self._told[0], None)
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Ends, after the requests that are on their way."""
        self._app.leave()
        if self._lingers:
            end = time.monotonic() + LINGER_SECONDS
            await _all_taken(sockets or (), end - LINGER_SECONDS / 2)
            for server in self.servers:
                server.close()
            # What was taken just now is among the connections a few turns of the loop later.
            await asyncio.sleep(0.02)
            while self.server_state.connections and time.monotonic() < end:
                await asyncio.sleep(0.02)
        await super().shutdown(sockets)
        gc.unfreeze()
        logger.info("Process %d has stopped", os.getpid())
        # uvicorn raises the signal that ended it again, which ends the process here.
        flush_all()


async def _all_taken(sockets: Sequence[socket.socket], end: float) -> None:
    """Waits until the system holds no connections back that clients have opened: with the socket it
    would reset them, and what they have asked for already. Not beyond `end`."""
    with DefaultSelector() as selector:
        for each in sockets:
            selector.register(each, EVENT_READ)
        turns = 0
        while turns < _TURNS and time.monotonic() < end:
            await asyncio.sleep(0)
            turns = 0 if sockets and selector.select(0) else turns + 1


def _config(app: Asgi, settings: ServerSettings) -> uvicorn.Config:
    # uvicorn would believe whoever calls from this machine about the address of the client.
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
