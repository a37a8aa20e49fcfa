"""Answers above 1 MB reach the official client, which refuses larger events."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import httpx2
import pytest
from mcp.client.session import ClientSession
from mcp.client.streamable_http import DEFAULT_MAX_SSE_EVENT_SIZE, streamable_http_client
from mcp_types import PaginatedRequestParams
from tests.runtime.conftest import Client, Serving, WireUpstream

from mcpgen_runtime.hooks import Call, Hooks
from mcpgen_runtime.result import Result
from mcpgen_runtime.server.list_pages import PAGE_BYTES, ListPages
from mcpgen_runtime.tool import Hints, Route, Tool

pytestmark = pytest.mark.anyio

TOOL = Tool(
    "get",
    "Get",
    "Gets.",
    Route("GET", "/a"),
    Hints(read_only=True, destructive=False, idempotent=True),
)
MANY = [
    replace(TOOL, name=f"get_{number}", description="ä" * 2_000 + '"' * 500)
    for number in range(120)
]
"""Tools of 1.6 MB with all escapes; 0.6 MB without."""
QUOTES = '"' * 900_000
"""Text of 0.9 MB in memory, 1.8 MB on the wire."""
EVENTS = {"accept": "application/json, text/event-stream", "mcp-protocol-version": "2025-06-18"}


@asynccontextmanager
async def official(client: Client) -> AsyncIterator[ClientSession]:
    """Yields a session of the official client, with the client's own limits."""
    streams = streamable_http_client("http://localhost:8000/mcp", http_client=client.http)
    async with streams as (read, write), ClientSession(read, write) as session:
        await session.initialize()
        yield session


@pytest.mark.parametrize("fast_path", [True, False])
async def test_the_official_client_lists_every_tool_of_a_large_server(
    serving: Serving, upstream: WireUpstream, fast_path: bool
) -> None:
    async with (
        serving(*MANY, upstream=upstream.url, fast_path=fast_path) as client,
        official(client) as session,
    ):
        names: list[str] = []
        cursor = None
        for page in (1, 2, 3):
            tools_result = await session.list_tools(params=PaginatedRequestParams(cursor=cursor))
            names += [tool.name for tool in tools_result.tools]
            cursor = tools_result.next_cursor
            assert (cursor is None) == (page == 3)

    assert names == [tool.name for tool in MANY]


@pytest.mark.parametrize("revision", ["2025-06-18", "2026-07-28"])
async def test_no_page_is_larger_than_an_event_may_be(
    serving: Serving, upstream: WireUpstream, revision: str
) -> None:
    key = "io.modelcontextprotocol/"
    meta = {f"{key}protocolVersion": revision, f"{key}clientCapabilities": {}}
    params: dict[str, Any] = {"_meta": meta} if revision == "2026-07-28" else {}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": params}
    headers = EVENTS | {"mcp-protocol-version": revision, "mcp-method": "tools/list"}

    async with serving(*MANY, upstream=upstream.url) as client:
        first = await client.post(message, **headers)
        params["cursor"] = "2"
        second = await client.post(message, **headers)

    for page in (first, second):
        assert page.status_code == 200
        assert PAGE_BYTES / 4 < len(page.content) < DEFAULT_MAX_SSE_EVENT_SIZE * 0.8


async def test_a_usual_list_is_one_page(serving: Serving, upstream: WireUpstream) -> None:
    async with serving(*MANY[:20], upstream=upstream.url) as client, official(client) as session:
        tools_result = await session.list_tools()

    assert len(tools_result.tools) == 20
    assert tools_result.next_cursor is None


@pytest.mark.parametrize("cursor", ["0", "2", "-1", "x", "", "٢", "1" * 5000])
async def test_a_page_that_does_not_exist_is_refused(
    serving: Serving, upstream: WireUpstream, cursor: str
) -> None:
    params = {"cursor": cursor}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": params}

    async with serving(TOOL, upstream=upstream.url) as client:
        answer = (await client.post(message)).json()

    assert answer["error"]["code"] == -32602


def test_a_tool_larger_than_a_page_stands_alone() -> None:
    pages = ListPages(3_000)
    tools = [TOOL, MANY[0], TOOL]

    first = pages.page(tools, None)
    second = pages.page(tools, first.next_cursor)
    third = pages.page(tools, second.next_cursor)

    assert [list(page.tools) for page in (first, second, third)] == [[tool] for tool in tools]
    assert third.next_cursor is None


@pytest.mark.parametrize("fast_path", [True, False])
async def test_a_result_larger_than_an_event_reaches_the_official_client(
    serving: Serving, upstream: WireUpstream, fast_path: bool
) -> None:
    async def answer(call: Call) -> Result:
        return Result.text(QUOTES)

    options = {"hooks": Hooks({"get": answer}), "fast_path": fast_path}
    async with (
        serving(TOOL, upstream=upstream.url, **options) as client,
        official(client) as session,
    ):
        result = await session.call_tool("get", {})

    assert result.content[0].text == QUOTES  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("short", "text/event-stream"),
        (QUOTES, "application/json"),
    ],
)
async def test_only_large_answers_are_plain_json_for_clients_of_events(
    serving: Serving, upstream: WireUpstream, text: str, kind: str
) -> None:
    async def answer(call: Call) -> Result:
        return Result.text(text)

    params = {"name": "get", "arguments": {}}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    options: dict[str, Any] = {"hooks": Hooks({"get": answer}), "fast_path": False}
    async with serving(TOOL, upstream=upstream.url, **options) as client:
        response: httpx2.Response = await client.post(message, **EVENTS)

    assert response.headers["content-type"].startswith(kind)
    if kind == "application/json":
        assert response.json()["result"]["content"][0]["text"] == text
        assert response.headers["content-length"] == str(len(response.content))
