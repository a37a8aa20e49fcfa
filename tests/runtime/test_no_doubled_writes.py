"""Writes over a network that breaks connections: no write reaches the API twice, and every
reported result is true."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import pytest

from mcpgen_runtime.hooks import Call, Hooks
from mcpgen_runtime.limits.retries import RESERVE, Retries, RetrySettings
from mcpgen_runtime.result import Result
from mcpgen_runtime.server.calls import UNSURE, ToolCaller
from mcpgen_runtime.server.middleware import Middleware
from mcpgen_runtime.settings import ServerSettings
from mcpgen_runtime.tool import Argument, Hints, Route, Tool
from mcpgen_runtime.upstream.client import UpstreamClient
from mcpgen_runtime.upstream.secret_store import SecretStore
from mcpgen_runtime.validation.definitions import SchemaStore

pytestmark = pytest.mark.anyio

TEN_THOUSAND = pytest.param(
    1_250, marks=pytest.mark.thorough("repeats the proof with 10,000 writes in all eight cases")
)

AT_ONCE = 20
"""Number of concurrent calls; each connection serves many calls."""

OK = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"


@dataclass
class CountingApi:
    """API that counts requests by path, behind a network that breaks connections: before the API
    has the request, after the API has the request, within the answer, or after the answer."""

    random: random.Random
    share: float = 0.2
    received: Counter[str] = field(default_factory=Counter)
    cuts: Counter[str] = field(default_factory=Counter)

    def connection(self) -> asyncio.Protocol:
        """Serves a new connection."""
        return _Connection(self)


class _Connection(asyncio.Protocol):
    def __init__(self, api: CountingApi) -> None:
        self._api = api
        self._begun = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._begun += data
        if not self._begun.endswith(b"\r\n\r\n"):
            return
        path = self._begun.split(b" ", 2)[1].decode()
        self._begun = b""
        api = self._api
        cut = api.random.choice("1234") if api.random.random() < api.share else ""
        api.cuts[cut] += 1
        if cut == "1":
            self._transport.abort()
            return
        api.received[path] += 1
        if cut == "2":
            self._transport.abort()
        elif cut == "3":
            self._transport.write(OK[:40])
            self._transport.close()
        else:
            self._transport.write(OK)
            if cut == "4":
                self._transport.close()


@asynccontextmanager
async def flapping_api() -> AsyncIterator[tuple[CountingApi, str]]:
    """Runs the API, and yields the API and its base URL."""
    api = CountingApi(random.Random(7))
    server = await asyncio.get_running_loop().create_server(api.connection, "127.0.0.1", 0)
    async with server:
        yield api, f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"


@asynccontextmanager
async def calls_to(
    url: str, rules: tuple[Middleware, ...] = (), hooks: Hooks | None = None
) -> AsyncIterator[ToolCaller]:
    """Calls of tools at an API."""
    settings = ServerSettings(upstream=url)
    async with UpstreamClient(settings, "test/1") as upstream:
        yield ToolCaller(
            upstream, SecretStore((), settings), hooks or Hooks(), rules, AT_ONCE, SchemaStore()
        )


def write(method: str) -> Tool:
    """Returns a tool that must not be repeated."""
    id = Argument("id", "path", {"type": "string"}, required=True)
    hints = Hints(read_only=False, destructive=True, idempotent=False)
    return Tool(method.lower(), method, "", Route(method, "/{id}"), hints, (id,))


async def call_with_ids(calls: ToolCaller, tool: Tool, ids: list[str]) -> dict[str, str]:
    """Returns the error text of the call for each id, `""` for a success."""
    error_texts: dict[str, str] = {}
    ids_to_call = iter(ids)

    async def make() -> None:
        for id in ids_to_call:
            result = await calls.call(tool, {"id": id})
            error_texts[id] = str(result.content[0]["text"]) if result.failed else ""

    async with asyncio.TaskGroup() as tasks:
        for _ in range(AT_ONCE):
            tasks.create_task(make())
    return error_texts


@pytest.mark.parametrize("writes", [125, TEN_THOUSAND])
@pytest.mark.parametrize("retries", [0, 3])
@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE"])
async def test_every_write_is_received_once_by_a_caller_that_checks_before_repeating(
    method: str, retries: int, writes: int
) -> None:
    tool = write(method)
    ids = [f"{number}" for number in range(writes)]
    rules = (Retries(RetrySettings(), attempts=retries, wait_seconds=0),) if retries else ()

    async with flapping_api() as (api, url), calls_to(url, rules) as calls:
        error_texts = await call_with_ids(calls, tool, ids)
        first_counts = Counter(api.received)
        while missing_ids := [id for id in ids if not api.received[f"/{id}"]]:
            await call_with_ids(calls, tool, missing_ids)

    assert max(first_counts.values()) == 1
    assert all(first_counts[f"/{id}"] == 1 for id, text in error_texts.items() if not text)
    assert all(UNSURE in text for text in error_texts.values() if text)
    assert {"1", "2", "3", "4"} <= api.cuts.keys()
    assert api.received == Counter(f"/{id}" for id in ids)


async def test_a_read_is_repeated_by_the_policy_alone() -> None:
    id = Argument("id", "path", {"type": "string"}, required=True)
    read = Tool("read", "Read", "", Route("GET", "/{id}"), Hints(True, False, True), (id,))
    ids = [f"{number}" for number in range(200)]

    async with flapping_api() as (api, url), calls_to(url) as calls:
        error_texts = await call_with_ids(calls, read, ids)

    assert max(api.received.values()) == 1
    assert any(error_texts.values())
    assert not any(UNSURE in text for text in error_texts.values())


@pytest.mark.parametrize("method", ["POST", "PATCH"])
async def test_a_write_of_a_handler_is_sent_once_also_by_a_tool_that_only_reads(
    method: str,
) -> None:
    async def handler(call: Call) -> Result:
        await call.request(method, "/{id}", values={"id": call.arguments["id"]})
        return Result.of({})

    id = Argument("id", "path", {"type": "string"}, required=True)
    tool = Tool("read", "Read", "", None, Hints(True, False, True), (id,))
    ids = [f"{number}" for number in range(200)]
    rule = Retries(RetrySettings(), attempts=3, wait_seconds=0)

    async with (
        flapping_api() as (api, url),
        calls_to(url, (rule,), Hooks({"read": handler})) as calls,
    ):
        error_texts = await call_with_ids(calls, tool, ids)

    assert max(api.received.values()) == 1
    assert all(UNSURE in text for text in error_texts.values() if text)


@pytest.mark.parametrize("method", ["GET", "PUT"])
async def test_a_request_of_a_handler_that_may_be_repeated_is_repeated(method: str) -> None:
    async def handler(call: Call) -> Result:
        await call.request(method, "/{id}", values={"id": call.arguments["id"]})
        return Result.of({})

    id = Argument("id", "path", {"type": "string"}, required=True)
    tool = Tool("put", "Put", "", None, Hints(False, False, True), (id,))
    rule = Retries(RetrySettings(), attempts=int(RESERVE), wait_seconds=0)

    async with (
        flapping_api() as (api, url),
        calls_to(url, (rule,), Hooks({"put": handler})) as calls,
    ):
        error_texts = await call_with_ids(calls, tool, [f"{number}" for number in range(20)])

    assert not any(error_texts.values())
    assert sum(api.received.values()) > 20
