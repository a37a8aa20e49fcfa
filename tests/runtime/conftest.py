"""Fixtures: a server of handwritten tools, and an upstream that records the bytes of requests."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2
import pytest
from pydantic import SecretStr
from pydantic_settings import SettingsConfigDict

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.runtime.apps import create_app

from mcpgen_runtime.hooks import Hooks
from mcpgen_runtime.server.app import ServerInfo
from mcpgen_runtime.server.feature import Feature, ToolView
from mcpgen_runtime.server.middleware import Middleware
from mcpgen_runtime.server.sessions import SessionSettings
from mcpgen_runtime.settings import ServerSettings
from mcpgen_runtime.tool import Tool
from mcpgen_runtime.upstream.credentials import SecurityScheme

JSON_ANSWER = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"


class CanarySettings(ServerSettings):
    """Settings with one credential of each kind."""

    model_config = SettingsConfigDict(env_prefix="CANARY_")

    key: SecretStr | None = None
    login_username: SecretStr | None = None
    login_password: SecretStr | None = None
    oauth: SecretStr | None = None
    oauth_username: SecretStr | None = None
    oauth_password: SecretStr | None = None
    oauth_client_id: SecretStr | None = None
    oauth_client_secret: SecretStr | None = None
    mtls_certificate: str | None = None
    mtls_key: str | None = None


class CanarySessionSettings(SessionSettings):
    """Settings of sessions."""

    model_config = SettingsConfigDict(env_prefix="CANARY_")


@dataclass
class WireRequest:
    """Request as received on the wire."""

    line: str
    headers: list[tuple[str, str]]
    body: bytes

    @property
    def target(self) -> str:
        """The request target."""
        return self.line.split(" ")[1]

    def all(self, name: str) -> list[str]:
        """Every value of a header."""
        return [value for key, value in self.headers if key.lower() == name.lower()]


@dataclass
class WireUpstream:
    """HTTP server that records raw requests. `answer` returns the response bytes; `more` yields
    further pieces at its own pace. `hung_up` is set when a client closes the connection.
    `barrier` delays every response until the given number of requests has arrived. `closes`
    ends the connection after each response."""

    answer: Callable[[WireRequest], bytes] = lambda _: JSON_ANSWER
    more: Callable[[], AsyncIterator[bytes]] | None = None
    hung_up: asyncio.Event = field(default_factory=asyncio.Event)
    requests: list[WireRequest] = field(default_factory=list)
    port: int = 0
    hold_seconds: float = 0
    barrier: asyncio.Barrier | None = None
    closes: bool = False
    connections: set[asyncio.Task[None] | None] = field(default_factory=set)

    @property
    def url(self) -> str:
        """Base URL of the server."""
        return f"http://127.0.0.1:{self.port}"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answers the requests of one connection."""
        self.connections.add(asyncio.current_task())
        try:
            while await self._answer(reader, writer):
                pass
        except (ConnectionError, asyncio.IncompleteReadError):
            self.hung_up.set()
        finally:
            writer.close()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        pairs = (line.partition(":") for line in head[1:-2])
        request = WireRequest(head[0], [(name, value.strip()) for name, _, value in pairs], b"")
        length = request.all("content-length")
        request.body = await reader.readexactly(int(length[0])) if length else b""
        self.requests.append(request)
        if self.barrier:
            await self.barrier.wait()
        await asyncio.sleep(self.hold_seconds)
        answer = self.answer(request)
        writer.write(answer)
        await writer.drain()
        if self.more:
            async for piece in self.more():
                writer.write(piece)
                await writer.drain()
        return not self.closes and b"Connection: close" not in answer


@asynccontextmanager
async def upstream_running() -> AsyncIterator[WireUpstream]:
    """Runs an upstream on a free port."""
    upstream = WireUpstream()
    server = await asyncio.start_server(upstream.serve, "127.0.0.1", 0)
    upstream.port = server.sockets[0].getsockname()[1]
    async with server:
        yield upstream
        # Since Python 3.12 the end of the server waits for the end of every connection.
        for task in upstream.connections:
            if task:
                task.cancel()


@dataclass
class Client:
    """Client that posts any content without validation."""

    http: httpx2.AsyncClient

    async def post(self, content: Any, **headers: str) -> httpx2.Response:
        """Posts a message. Underscores in header names stand for hyphens."""
        request_headers = {name.replace("_", "-"): value for name, value in headers.items()}
        return await self.http.post("/mcp", json=content, headers=request_headers)

    async def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Calls a tool, and returns the result."""
        params = {"name": tool, "arguments": arguments}
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        result: dict[str, Any] = (await self.post(message)).json()["result"]
        return result

    async def error(self, tool: str, **arguments: Any) -> str:
        """Returns the text of a failed call."""
        result = await self.call(tool, **arguments)
        assert result["isError"], result
        return str(result["content"][0]["text"])


Serving = Callable[..., AbstractAsyncContextManager[Client]]


@asynccontextmanager
async def serving_tools(
    *tools: Tool,
    upstream: str,
    schemes: tuple[SecurityScheme, ...] = (),
    hooks: Hooks | None = None,
    rules: Sequence[Middleware] = (),
    surface: ToolView | None = None,
    offers: Sequence[Feature] = (),
    **settings: Any,
) -> AsyncIterator[Client]:
    """Runs a server with the tools and rules, and yields a client."""
    app = create_app(
        ServerInfo("canary", "Canary", "1.0.0", module="canary_mcp.server"),
        tools,
        schemes,
        CanarySettings(upstream=upstream, **settings),
        hooks or Hooks(),
        rules,
        surface=surface,
        offers=offers,
    )
    async with (
        app.running(),
        httpx2.AsyncClient(
            transport=httpx2.ASGITransport(app), base_url="http://localhost:8000"
        ) as http,
    ):
        yield Client(http)


@pytest.fixture
def anyio_backend() -> str:
    """Event loop of the tests."""
    return "asyncio"


@pytest.fixture
async def upstream() -> AsyncIterator[WireUpstream]:
    """Upstream API."""
    async with upstream_running() as running:
        yield running


@pytest.fixture
def serving() -> Serving:
    """Starts a server of hand-made tools."""
    return serving_tools
