"""An upstream that records every request as bytes."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import aiohttp
from tests.runtime_harness import UpstreamRequest
from yarl import URL

ANSWER = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"


@dataclass(frozen=True)
class RecordedRequest:
    """A request; `origin` is scheme and authority of the intended URL. `by_fragment` marks a document
    with several operations of this method and path; `signed` marks a request with credentials."""

    method: str
    origin: str
    target: str
    headers: tuple[tuple[str, str], ...]
    body: bytes
    by_fragment: bool = False
    signed: bool = True

    @property
    def url(self) -> str:
        """The intended URL."""
        return self.origin + self.target

    @property
    def plain(self) -> dict[str, Any]:
        """The request as JSON."""
        body = base64.b64encode(self.body).decode()
        head = {"method": self.method, "url": self.url, "headers": self.headers}
        return {**head, "body": body, "signed": self.signed}

    def __str__(self) -> str:
        kind = dict(self.headers).get("Content-Type", "")
        return f"{self.method} {self.url} {kind} {self.body[:400]!r}"


def unsent_record(request: UpstreamRequest, base_url: str) -> RecordedRequest:
    """The record of a request that was not sent, without credentials."""
    parts = urlsplit(base_url)
    query = f"?{request.query}" if request.query else ""
    target = f"{parts.path.rstrip('/')}{request.path}{query}"
    cookies = (("Cookie", "; ".join(request.cookies)),) if request.cookies else ()
    origin = f"{parts.scheme}://{parts.netloc}"
    return RecordedRequest(
        request.method, origin, target, (*request.headers, *cookies), request.body or b""
    )


@dataclass
class UpstreamRecorder:
    """A web server on the loopback interface, and a client that sends every request to the server."""

    port: int = 0
    requests: list[RecordedRequest] = field(default_factory=list)
    _origins: list[str] = field(default_factory=list)

    def client(self) -> Any:
        """A client for `Hooks` that sends requests for any URL to the recorder."""
        return _RecordingSession(aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()), self)

    def recorder_url(self, url: str) -> URL:
        """The recorder's URL with the target of `url`."""
        scheme, _, remainder = url.partition("://")
        authority, slash, target = remainder.partition("/")
        self._origins.append(f"{scheme}://{authority}")
        return URL(f"http://127.0.0.1:{self.port}{slash}{target}", encoded=True)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answers the requests of one connection."""
        try:
            while True:
                await self._answer(reader, writer)
        except (ConnectionError, asyncio.IncompleteReadError):
            return
        finally:
            writer.close()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        method, target, _ = head[0].split(" ")
        pairs = tuple((name, value.strip()) for name, _, value in _split_headers(head[1:-2]))
        lengths = [int(value) for name, value in pairs if name.lower() == "content-length"]
        body = await reader.readexactly(lengths[0]) if lengths else b""
        self.requests.append(RecordedRequest(method, self._origins.pop(0), target, pairs, body))
        writer.write(ANSWER)
        await writer.drain()


def _split_headers(lines: list[str]) -> list[tuple[str, str, str]]:
    return [line.partition(":") for line in lines]


@dataclass
class _RecordingSession:
    """The methods of `aiohttp.ClientSession` that generated servers use."""

    session: aiohttp.ClientSession
    recorder: UpstreamRecorder

    @property
    def connector(self) -> aiohttp.BaseConnector | None:
        """The connector of the session."""
        return self.session.connector

    def request(self, method: str, url: URL, **options: Any) -> Any:
        """Sends the request to the recorder."""
        return self.session.request(method, self.recorder.recorder_url(str(url)), **options)

    async def close(self) -> None:
        """Closes the session."""
        await self.session.close()


@asynccontextmanager
async def record_requests() -> AsyncIterator[UpstreamRecorder]:
    """A recorder on a free port."""
    recorder = UpstreamRecorder()
    server = await asyncio.start_server(recorder.serve, "127.0.0.1", 0, limit=1 << 24)
    recorder.port = server.sockets[0].getsockname()[1]
    async with server:
        yield recorder
