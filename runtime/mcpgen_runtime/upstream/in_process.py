"""Sends requests to an API in the same process: an ASGI application, without a socket.

https://asgi.readthedocs.io/en/latest/specs/www.html
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import AsyncIterator, Callable
from functools import partial
from http.client import responses
from typing import Any, cast
from urllib.parse import unquote, urlsplit

import aiohttp
from starlette.datastructures import Headers

from ..server.asgi import Asgi, Message
from ..settings import ServerSettings
from .client import UpstreamClient, request_headers, url_origin
from .exchange import UpstreamError, UpstreamRequest, UpstreamResponse

OpenUpstream = Callable[..., UpstreamClient]
"""Makes the client of a server, of the same arguments as `UpstreamClient`."""

BUFFERED = 16
"""Pieces of a response that wait to be read; the application waits for room."""

STOP_SECONDS = 5
"""Seconds for background tasks of responses at the end of the server."""

logger = logging.getLogger(__name__)


def in_process(app: Asgi | None) -> OpenUpstream | None:
    """Returns the constructor of a client for the API `app`, None without `app`."""
    return partial(InProcessClient, app) if app else None


class InProcessClient(UpstreamClient):
    """Sends the requests of the API to an application, and requests to other hosts, such as a token
    endpoint, over the network. The lifespan of the application is the business of its own server.
    """

    def __init__(
        self,
        app: Asgi,
        settings: ServerSettings,
        agent: str,
        client: Callable[[], aiohttp.ClientSession] | None = None,
    ) -> None:
        super().__init__(settings, agent, client)
        self._app = app
        self._base = f"{self.address.rstrip('/')}/"
        self._tasks: set[asyncio.Task[None]] = set()
        parts = urlsplit(self._base)
        self._host = (b"host", parts.netloc.rpartition("@")[2].encode())
        self._scope = {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.4"},
            "http_version": "1.1",
            "scheme": parts.scheme,
            "root_path": "",
            "client": ("127.0.0.1", 0),
            "server": (parts.hostname, parts.port),
        }

    @property
    def address(self) -> str:
        """The base URL of the API; a name of this host if none is configured."""
        return self._settings.upstream or "http://localhost"

    async def __aexit__(self, *fault: Any) -> None:
        await super().__aexit__(*fault)
        if self._tasks:
            _, unfinished = await asyncio.wait(self._tasks, timeout=STOP_SECONDS)
            for task in unfinished:
                task.cancel()

    async def send_once(self, request: UpstreamRequest, url: str) -> UpstreamResponse:
        """Sends a request to the application, and a request to another origin by HTTP."""
        # Most URLs begin with the base URL; `url_origin` takes longer than a simple application.
        api = self._settings.upstream
        if not url.startswith(self._base) and url_origin(url) != url_origin(api):
            return await super().send_once(request, url)
        parts = urlsplit(url)
        scope = self._scope_of(request, parts.path, parts.query)
        exchange = _AsgiExchange(scope, request.body or b"")
        # The same attributes as those of a response of aiohttp.
        response = cast(aiohttp.ClientResponse, exchange)
        task = asyncio.create_task(exchange.run(self._app))
        try:
            # An application that waits for nothing has answered after one turn of the event loop, and
            # needs no timer.
            await asyncio.sleep(0)
            if exchange.is_complete:
                await exchange.start()
                return await self._read_response(response, parts.path)
            async with asyncio.timeout(self._settings.timeout_seconds):
                await exchange.start()
                return await self._read_response(response, parts.path)
        except TimeoutError:
            why = f"did not answer within {self._settings.timeout_seconds:g} seconds"
            raise UpstreamError(why, passing=True, sent=True) from None
        finally:
            # After a complete response the application may run background tasks.
            if not exchange.is_complete:
                task.cancel()
            if not task.done():
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)

    def _scope_of(self, request: UpstreamRequest, path: str, query: str) -> dict[str, Any]:
        """The scope of a request: https://asgi.readthedocs.io/en/latest/specs/www.html#http-connection-scope"""
        headers = [
            (name.lower().encode(), value.encode())
            for name, value in request_headers(request, self._agent)
            if name != _ENCODING
        ]
        if not any(name == b"accept" for name, _ in headers):
            headers.append((b"accept", b"*/*"))
        if request.body is not None:
            headers.append((b"content-length", b"%d" % len(request.body)))
        return {
            **self._scope,
            "method": request.method,
            "path": unquote(path),
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "headers": [self._host, *headers],
            "state": {},
        }


class _AsgiExchange:
    """A request to an application and the response, with the attributes that `UpstreamClient` reads
    of a response of aiohttp. `status` is 0 before the response."""

    def __init__(self, scope: dict[str, Any], body: bytes) -> None:
        self._scope = scope
        self._body = body
        self._is_sent = False
        self._has_ended = False
        self._pieces: deque[bytes] = deque()
        self._reader: asyncio.Future[None] | None = None
        self._writer: asyncio.Future[None] | None = None
        self.is_complete = False
        self.status = 0
        self.headers = Headers()

    async def run(self, app: Asgi) -> None:
        """Runs the application. An exception is logged, as a server of the application does."""
        try:
            await app(self._scope, self._receive, self._send)
        except Exception:
            logger.exception("the application of the API failed")
        self._has_ended = True
        _wake(self._reader)

    async def _receive(self) -> Message:
        if not self._is_sent:
            self._is_sent = True
            return {"type": "http.request", "body": self._body, "more_body": False}
        # A client that waits for the response does not disconnect.
        await asyncio.Event().wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self.headers = Headers(raw=[*message.get("headers", ())])
        elif message["type"] == "http.response.body":
            if body := message.get("body", b""):
                self._pieces.append(body)
            self.is_complete = not message.get("more_body", False)
            _wake(self._reader)
            while len(self._pieces) >= BUFFERED and not self.is_complete:
                self._writer = asyncio.get_running_loop().create_future()
                await self._writer

    @property
    def reason(self) -> str:
        """The reason phrase of the status."""
        return responses.get(self.status, "")

    @property
    def content(self) -> _AsgiExchange:
        """The body."""
        return self

    async def start(self) -> None:
        """Waits for a piece or the end. Raises `UpstreamError` for a response that ends too early."""
        while not (self._pieces or self.is_complete or self._has_ended):
            self._reader = asyncio.get_running_loop().create_future()
            await self._reader
        if not self.status or not (self._pieces or self.is_complete):
            raise UpstreamError("broke off the connection", sent=True)

    async def iter_any(self) -> AsyncIterator[bytes]:
        """The body in pieces. Raises `UpstreamError` for a response that ends too early."""
        while self._pieces or not self.is_complete:
            await self.start()
            while self._pieces:
                yield self._pieces.popleft()
                _wake(self._writer)


def _wake(future: asyncio.Future[None] | None) -> None:
    """Ends the wait for a future, unless over."""
    if future and not future.done():
        future.set_result(None)


_ENCODING = "Accept-Encoding"
