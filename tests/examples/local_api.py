"""An API of an example on the loopback, and what it was asked."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware
from docs.examples.example import serve
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from tests.runtime.issuer import Issuer


@dataclass(frozen=True)
class Asked:
    """One request that the API got; names of headers are in lower case."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes


@dataclass
class Service:
    """A running API. `requests` are those it got, the oldest first."""

    url: str = ""
    requests: list[Asked] = field(default_factory=list)

    @property
    def last(self) -> Asked:
        """The newest request."""
        return self.requests[-1]


@contextmanager
def serving_api(app: ASGIApp) -> Iterator[Service]:
    """Serves the API of an example on a free port in a thread, and records its requests."""
    service = Service()
    with serve(_recorder(app, service)) as service.url:
        yield service


def published(issuer: Issuer) -> web.Application:
    """An issuer of tokens as a web application."""
    app = web.Application()
    app.router.add_get("/keys", issuer.answer)
    return app


@contextmanager
def running(app: web.Application) -> Iterator[Service]:
    """The application on a free port, in a thread of its own."""
    service = Service()
    app.middlewares.insert(0, _recording(service))
    loop = asyncio.new_event_loop()
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=1)
    service.url = loop.run_until_complete(_start(runner))
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    try:
        yield service
    finally:
        asyncio.run_coroutine_threadsafe(runner.cleanup(), loop).result(120)
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


async def _start(runner: web.AppRunner) -> str:
    """The address at which an application is served from now on."""
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    host, port = runner.addresses[0][:2]
    return f"http://{host}:{port}"


def _recorder(app: ASGIApp, service: Service) -> ASGIApp:
    async def recorder(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await app(scope, receive, send)
            return
        request = Request(scope, receive)
        body = await request.body()
        target = request.url.path + (f"?{request.url.query}" if request.url.query else "")
        asked = Asked(request.method, target, dict(request.headers), body)
        service.requests.append(asked)
        messages = iter([{"type": "http.request", "body": body}])

        async def replay() -> Message:
            return next(messages, None) or await receive()

        await app(scope, replay, send)

    return recorder


def _recording(service: Service) -> Middleware:
    @web.middleware
    async def recording(request: web.Request, handler: Handler) -> web.StreamResponse:
        headers = {name.lower(): value for name, value in request.headers.items()}
        body = await request.read()
        service.requests.append(Asked(request.method, request.path_qs, headers, body))
        return await handler(request)

    return recording
