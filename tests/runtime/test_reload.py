"""A replaced application answers its requests to the end, and new requests go to the next application."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
import pytest
from tests.runtime.apps import create_app
from tests.runtime.conftest import CanarySettings

from mcpgen_runtime.hooks import Call, Hooks
from mcpgen_runtime.result import Result
from mcpgen_runtime.server.app import App, ServerInfo
from mcpgen_runtime.server.reload import ReloadableApp
from mcpgen_runtime.settings import ServerSettings
from mcpgen_runtime.tool import Hints, Route, Tool

HINTS = Hints(True, False, True)


class Stage:
    """An application with one tool that waits for `go`. `is_over` is set at the end."""

    def __init__(self, name: str, fault: Exception | None = None) -> None:
        self.name = name
        self.fault = fault
        self.entered = asyncio.Event()
        self.go = asyncio.Event()
        self.is_over = asyncio.Event()
        tools = (Tool(name, "", "", Route("GET", "/"), HINTS),)
        hooks = Hooks({name: self.answer}, lifespan=self.lifespan)
        self.app: App = create_app(
            ServerInfo("canary", "", "1"), tools, (), CanarySettings(), hooks
        )

    async def answer(self, call: Call) -> Result:
        """Returns the name of the stage, after `go`."""
        self.entered.set()
        await self.go.wait()
        return Result.text(self.name)

    @asynccontextmanager
    async def lifespan(self, settings: ServerSettings) -> AsyncIterator[None]:
        """Raises `fault` at the start, and sets `is_over` at the end."""
        if self.fault:
            raise self.fault
        yield
        self.is_over.set()


@asynccontextmanager
async def serving(app: ReloadableApp) -> AsyncIterator[httpx2.AsyncClient]:
    """A client of the application, whose lifespan runs."""
    incoming: asyncio.Queue[dict[str, str]] = asyncio.Queue()
    outgoing: asyncio.Queue[Any] = asyncio.Queue()
    incoming.put_nowait({"type": "lifespan.startup"})
    lifespan = asyncio.create_task(app({"type": "lifespan"}, incoming.get, outgoing.put))
    assert (await outgoing.get())["type"] == "lifespan.startup.complete"
    transport = httpx2.ASGITransport(app=app)
    async with httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
        yield client
    incoming.put_nowait({"type": "lifespan.shutdown"})
    await lifespan


async def request(client: httpx2.AsyncClient, method: str, **params: Any) -> Any:
    """The result of a request."""
    content = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    response = await client.post("/mcp", json=content, headers={"Accept": "application/json"})
    return response.json()["result"]


async def tool_names(client: httpx2.AsyncClient) -> list[str]:
    """The names of the listed tools."""
    return [tool["name"] for tool in (await request(client, "tools/list"))["tools"]]


def test_call_ends_in_the_application_that_began_the_call() -> None:
    async def run() -> tuple[list[str], Any, bool]:
        first, second = Stage("first"), Stage("second")
        app = ReloadableApp(first.app)
        async with serving(app) as client:
            call = asyncio.create_task(request(client, "tools/call", name="first", arguments={}))
            await first.entered.wait()
            await app.replace(second.app)
            names = await tool_names(client)
            was_over = first.is_over.is_set()
            first.go.set()
            result = await call
            await asyncio.wait_for(first.is_over.wait(), 10)
        return names, result["content"], was_over

    names, content, was_over = asyncio.run(run())

    assert names == ["second"]
    assert content == [{"type": "text", "text": "first"}]
    assert was_over is False


def test_application_that_cannot_start_changes_nothing() -> None:
    async def run() -> list[str]:
        app = ReloadableApp(Stage("first").app)
        async with serving(app) as client:
            with pytest.raises(ValueError, match="no database"):
                await app.replace(Stage("second", ValueError("no database")).app)
            return await tool_names(client)

    assert asyncio.run(run()) == ["first"]
