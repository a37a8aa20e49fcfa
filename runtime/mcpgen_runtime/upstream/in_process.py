"""Sends requests to an API in the same process: an ASGI application, without a socket.

https://asgi.readthedocs.io/en/latest/specs/www.html
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from functools import partial
from http import HTTPStatus
from typing import Any, cast
from urllib.parse import unquote, urlsplit

import aiohttp
from starlette.datastructures import Headers

from ..server.asgi import Asgi, Message
from ..settings import ServerSettings
from .client import UpstreamClient, request_headers, url_origin
from .request import UpstreamRequest
from .response import UpstreamError, UpstreamResponse

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
        self._tasks: set[asyncio.Task[None]] = set()

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

    async def _send_once(self, request: UpstreamRequest, url: str) -> UpstreamResponse:
        if url_origin(url) != url_origin(self._settings.upstream):
            return await super()._send_once(request, url)
        exchange = _AsgiExchange(request, url, self._agent)
        task = asyncio.create_task(exchange.run(self._app))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        try:
            async with asyncio.timeout(self._settings.timeout_seconds):
                await exchange.started.wait()
                if not exchange.status:
                    raise UpstreamError("broke off the connection", sent=True)
                # The same methods as those of a response of aiohttp.
                response = cast(aiohttp.ClientResponse, exchange)
                return await self._answer(response, urlsplit(url).path)
        except TimeoutError:
            why = f"did not answer within {self._settings.timeout_seconds:g} seconds"
            raise UpstreamError(why, passing=True, sent=True) from None
        finally:
            # After a complete response the application may run background tasks.
            if not exchange.is_complete:
                task.cancel()


class _AsgiExchange:
    """A request to an application and the response, with the attributes that `UpstreamClient` reads
    of a response of aiohttp. `status` is 0 for an application that ended without a response."""

    def __init__(self, request: UpstreamRequest, url: str, agent: str) -> None:
        parts = urlsplit(url)
        given = [
            (name, value) for name, value in request_headers(request, agent) if name != _ENCODING
        ]
        names = {name.lower() for name, _ in given}
        if "accept" not in names:
            given.append(("Accept", "*/*"))
        headers = [("Host", parts.netloc.rpartition("@")[2] or "localhost"), *given]
        self._body = request.body or b""
        if request.body is not None:
            headers.append(("Content-Length", str(len(request.body))))
        self._scope = {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.4"},
            "http_version": "1.1",
            "method": request.method,
            "scheme": parts.scheme or "http",
            "path": unquote(parts.path),
            "raw_path": parts.path.encode(),
            "query_string": parts.query.encode(),
            "root_path": "",
            "headers": [(name.lower().encode(), value.encode()) for name, value in headers],
            "client": ("127.0.0.1", 0),
            "server": (parts.hostname or "localhost", parts.port),
            "state": {},
        }
        self._is_sent = False
        self._pieces: asyncio.Queue[bytes | None] = asyncio.Queue(BUFFERED)
        self.started = asyncio.Event()
        self.is_complete = False
        self.status = 0
        self.reason = ""
        self.headers = Headers()

    async def run(self, app: Asgi) -> None:
        """Runs the application. An exception is logged, as a server of the application does."""
        try:
            await app(self._scope, self._receive, self._send)
        except Exception:
            logger.exception("the application of the API failed")
        self.started.set()
        if not self.is_complete:
            await self._pieces.put(None)

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
            self.reason = _reason(self.status)
            self.headers = Headers(raw=[*message.get("headers", ())])
            return
        if message["type"] != "http.response.body":
            return
        is_last = not message.get("more_body", False)
        if body := message.get("body", b""):
            await self._pieces.put(body)
        if is_last:
            self.is_complete = True
            await self._pieces.put(None)
        self.started.set()

    @property
    def content(self) -> _AsgiExchange:
        """The body."""
        return self

    async def iter_any(self) -> AsyncIterator[bytes]:
        """The body in pieces. Raises `UpstreamError` for a response that ends too early."""
        while (piece := await self._pieces.get()) is not None:
            yield piece
        if not self.is_complete:
            raise UpstreamError("broke off the connection", sent=True)


_ENCODING = "Accept-Encoding"


def _reason(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return ""
