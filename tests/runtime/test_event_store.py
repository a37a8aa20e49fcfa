"""Resumable streams: missed messages are replayed, and memory is bounded."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from typing import Any

import httpx2
import pytest
from mcp.server.streamable_http import EventMessage
from mcp_types import JSONRPCNotification
from tests.runtime.apps import create_app
from tests.runtime.conftest import CanarySessionSettings

from mcpgen_runtime.elicitation.interactive_steps import Close
from mcpgen_runtime.hooks import Hooks
from mcpgen_runtime.server.app import ServerInfo
from mcpgen_runtime.server.declared_answer import DeclaredAnswer, Text, Wait
from mcpgen_runtime.server.process import DrainingServer
from mcpgen_runtime.server.sessions import (
    MAX_EVENT_BYTES,
    MAX_EVENTS,
    SessionEventStore,
    Sessions,
)
from mcpgen_runtime.tool import Hints, Tool

pytestmark = pytest.mark.anyio

READS = Hints(read_only=True, destructive=False, idempotent=True)
LATER = Tool(
    "later", "", "", None, READS, answer=DeclaredAnswer((Close(), Wait(50), Text("Here at last")))
)
BOTH = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-11-25"}
INITIALIZE = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "test", "version": "1"},
}


@pytest.fixture
async def client() -> AsyncIterator[httpx2.AsyncClient]:
    """Client of a server with resumable streams."""
    settings = CanarySessionSettings()
    sessions = Sessions(settings, SessionEventStore)
    app = create_app(
        ServerInfo("canary", "Canary", "1"), [LATER], [], settings, Hooks(), sessions=sessions
    )
    start_event = asyncio.Event()
    server = DrainingServer(app, start_event.set)
    with socket.create_server(("127.0.0.1", 0)) as sock:
        serving_task = asyncio.create_task(server.serve([sock]))
        await start_event.wait()
        url = f"http://127.0.0.1:{sock.getsockname()[1]}"
        async with httpx2.AsyncClient(base_url=url, headers=BOTH, timeout=120) as client:
            yield client
        server.should_exit = True
        await serving_task


def event(word: str) -> JSONRPCNotification:
    """Returns a notification with a word."""
    return JSONRPCNotification(jsonrpc="2.0", method="x", params={"word": word})


async def replay_events(replays: SessionEventStore, id: str) -> tuple[str | None, list[str]]:
    """Returns the stream of an event and the words sent on the stream afterwards."""
    words: list[str] = []

    async def send(event_message: EventMessage) -> None:
        assert isinstance(event_message.message, JSONRPCNotification)
        assert event_message.message.params
        words.append(event_message.message.params["word"])

    return await replays.replay_events_after(id, send), words


async def start_session(client: httpx2.AsyncClient) -> dict[str, str]:
    """Returns the headers of a session."""
    message = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": INITIALIZE}
    response = await client.post("/mcp", json=message)
    return {"Mcp-Session-Id": response.headers["mcp-session-id"]}


async def test_result_is_there_when_the_stream_is_taken_up_again(
    client: httpx2.AsyncClient,
) -> None:
    session = await start_session(client)
    call: dict[str, Any] = {"jsonrpc": "2.0", "id": 1, "method": "tools/call"}
    call["params"] = {"name": "later", "arguments": {}}

    closed = (await client.post("/mcp", json=call, headers=session)).text
    (id,) = [line[4:] for line in closed.splitlines() if line.startswith("id: ")]
    lines = []
    async with client.stream("GET", "/mcp", headers={**session, "Last-Event-ID": id}) as stream:
        async for line in stream.aiter_lines():
            lines.append(line)
            if "Here at last" in line:
                break

    assert "Here at last" not in closed
    assert "retry: 500" in closed
    assert "Here at last" in lines[-1]


async def test_another_session_hears_nothing_of_it(client: httpx2.AsyncClient) -> None:
    own_headers, other_headers = await start_session(client), await start_session(client)
    call: dict[str, Any] = {"jsonrpc": "2.0", "id": 1, "method": "tools/call"}
    call["params"] = {"name": "later", "arguments": {}}
    text = (await client.post("/mcp", json=call, headers=own_headers)).text
    (id,) = [line[4:] for line in text.splitlines() if line.startswith("id: ")]

    response = await client.get("/mcp", headers={**other_headers, "Last-Event-ID": id})

    assert "Here at last" not in response.text


async def test_only_what_came_later_on_the_same_stream_is_sent_again() -> None:
    replays = SessionEventStore()
    await replays.store_event("1", event("a"))
    event_id = await replays.store_event("1", None)
    await replays.store_event("2", event("b"))
    await replays.store_event("1", event("c"))

    assert await replay_events(replays, event_id) == ("1", ["c"])
    assert await replay_events(replays, "99") == (None, [])


async def test_the_oldest_give_way() -> None:
    many, large = SessionEventStore(), SessionEventStore()
    for number in range(MAX_EVENTS + 1):
        await many.store_event("1", event(str(number)))
    for _ in range(3):
        await large.store_event("1", event("x" * (MAX_EVENT_BYTES // 2)))

    assert await replay_events(many, "1") == (None, [])
    assert len((await replay_events(many, "2"))[1]) == MAX_EVENTS - 1
    assert await replay_events(large, "2") == (None, [])
    assert (await replay_events(large, "3"))[0] == "1"


async def test_size_of_an_event_is_counted_in_bytes() -> None:
    store = SessionEventStore()
    for _ in range(2):
        await store.store_event("1", event("\u20ac" * (MAX_EVENT_BYTES // 5)))

    assert await replay_events(store, "1") == (None, [])
    assert (await replay_events(store, "2"))[0] == "1"
