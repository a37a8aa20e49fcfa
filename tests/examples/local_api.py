"""The API of an example on the loopback interface, with a record of requests."""

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
from tests.runtime.issuer import JwtIssuer


@dataclass(frozen=True)
class ApiRequest:
    """A request to the API; header names are in lower case."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes


@dataclass
class LocalApi:
    """A running API. `requests` is in order of arrival."""

    url: str = ""
    requests: list[ApiRequest] = field(default_factory=list)

    @property
    def last(self) -> ApiRequest:
        """The newest request."""
        return self.requests[-1]


@contextmanager
def serving_api(app: ASGIApp) -> Iterator[LocalApi]:
    """Serves the API of an example on a free port in a thread, and records its requests."""
    service = LocalApi()
    with serve(_recorder(app, service)) as service.url:
        yield service


def issuer_app(issuer: JwtIssuer) -> web.Application:
    """An issuer of tokens as a web application."""
    app = web.Application()
    app.router.add_get("/keys", issuer.answer)
    return app


@contextmanager
def running(app: web.Application) -> Iterator[LocalApi]:
    """Serves an application on a free port in a thread while the body runs."""
    service = LocalApi()
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
    """Starts serving an application; returns the address."""
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    host, port = runner.addresses[0][:2]
    return f"http://{host}:{port}"


def _recorder(app: ASGIApp, service: LocalApi) -> ASGIApp:
    async def recorder(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await app(scope, receive, send)
            return
        request = Request(scope, receive)
        body = await request.body()
        target = request.url.path + (f"?{request.url.query}" if request.url.query else "")
        api_request = ApiRequest(request.method, target, dict(request.headers), body)
        service.requests.append(api_request)
        messages = iter([{"type": "http.request", "body": body}])

        async def replay() -> Message:
            return next(messages, None) or await receive()

        await app(scope, replay, send)

    return recorder


def _recording(service: LocalApi) -> Middleware:
    @web.middleware
    async def recording(request: web.Request, handler: Handler) -> web.StreamResponse:
        headers = {name.lower(): value for name, value in request.headers.items()}
        body = await request.read()
        service.requests.append(ApiRequest(request.method, request.path_qs, headers, body))
        return await handler(request)

    return recording
