"""An overloaded server answers up to its limit, and refuses further calls as retryable."""

from __future__ import annotations

import asyncio
import json
import resource
import sys
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
import pytest
from tests.runtime.conftest import Serving, WireUpstream
from tests.runtime.test_cli import start_server
from tests.runtime.test_transport_guard import TOOL

from mcpgen_runtime.hooks import Hooks

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(sys.platform == "win32", reason="the limit on files is POSIX's"),
]

CLIENTS, AT_ONCE = 1000, 300


async def test_a_call_that_finds_no_place_may_be_tried_again(
    upstream: WireUpstream, serving: Serving
) -> None:
    upstream.hold_seconds = 0.3
    async with serving(TOOL, upstream=upstream.url, calls_at_once=1) as client:
        first, second = await asyncio.gather(client.call("greet"), client.call("greet"))
        later_result = await client.call("greet")

    (refusal,) = (json.loads(r["content"][0]["text"]) for r in (first, second) if r["isError"])
    assert (refusal["code"], refusal["retryAfter"]) == ("too_many_calls", 1)
    assert not later_result["isError"]
    assert len(upstream.requests) == 2


async def test_all_calls_that_are_made_at_a_time_have_a_connection_to_the_api(
    upstream: WireUpstream, serving: Serving
) -> None:
    upstream.barrier = asyncio.Barrier(150)

    async with serving(TOOL, upstream=upstream.url, calls_at_once=150, timeout_seconds=5) as client:
        results = await asyncio.gather(*(client.call("greet") for _ in range(150)))

    assert not any(result["isError"] for result in results)


@pytest.mark.parametrize(("limit", "is_warned"), [(100, True), (0, False)])
async def test_a_client_of_hooks_with_fewer_connections_than_calls_is_told_at_the_start(
    serving: Serving, caplog: pytest.LogCaptureFixture, limit: int, is_warned: bool
) -> None:
    def session() -> aiohttp.ClientSession:
        return aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=limit))

    async with serving(TOOL, upstream="http://127.0.0.1:9", hooks=Hooks(client=session)):
        pass

    is_logged = "holds at most 100 connections, and CANARY_CALLS_AT_ONCE is 500" in caplog.text
    assert is_logged is is_warned


@asynccontextmanager
async def _run_stalled_api(end_event: asyncio.Event) -> AsyncIterator[str]:
    """Yields the URL of an API that accepts requests and disconnects at the event, without an
    answer."""

    async def stall(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await end_event.wait()
        writer.close()

    server = await asyncio.start_server(stall, "127.0.0.1", 0, backlog=2048)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"


def _encode_request(method: str, **params: Any) -> bytes:
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    body = json.dumps(message).encode()
    head = f"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n"
    return f"{head}Content-Type: application/json\r\n\r\n".encode() + body


async def _send_request(port: int, request: bytes) -> Any:
    """Returns the result of a request on a new connection."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(request)
    head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
    length = int(head.partition("content-length: ")[2].partition("\r\n")[0])
    answer = json.loads(await reader.readexactly(length))
    writer.close()
    return answer["result"]


def _outcome(result: dict[str, Any]) -> str:
    text = str(result["content"][0]["text"])
    if not text.startswith("{"):
        return text
    content = json.loads(text)
    return f"{content['code']}, again after {content['retryAfter']}"


@pytest.mark.repeated(
    "repeats with a thousand calls what the other tests of overload hold with few"
)
async def test_a_thousand_stalled_calls_and_slow_readers_do_not_keep_the_list_waiting() -> None:
    resource.setrlimit(
        resource.RLIMIT_NOFILE, (4096, resource.getrlimit(resource.RLIMIT_NOFILE)[1])
    )
    settings = {
        "CANARY_TIMEOUT_SECONDS": "300",
        "CANARY_CALLS_AT_ONCE": str(AT_ONCE),
    }
    end_event = asyncio.Event()
    async with _run_stalled_api(end_event) as url:
        with start_server("--port", "0", "--upstream", url, **settings) as (_, line):
            port = int(line.rpartition(":")[2].partition("/")[0])
            slow_connections = [await asyncio.open_connection("127.0.0.1", port) for _ in range(20)]
            for _, writer in slow_connections:
                writer.write(_encode_request("tools/list") * 200)
            call = _encode_request("tools/call", name="slow", arguments={})
            calls = [asyncio.ensure_future(_send_request(port, call)) for _ in range(CLIENTS)]
            while sum(task.done() for task in calls) < CLIENTS - AT_ONCE:
                await asyncio.sleep(0.01)
            done_before = sum(task.done() for task in calls)
            list_result = await _send_request(port, _encode_request("tools/list"))
            done_after = sum(task.done() for task in calls)
            end_event.set()
            outcomes = Counter(map(_outcome, await asyncio.gather(*calls)))
            for _, writer in slow_connections:
                writer.close()

    assert [tool["name"] for tool in list_result["tools"]] == ["slow"]
    assert done_before == done_after == CLIENTS - AT_ONCE
    assert outcomes == {
        "too_many_calls, again after 1": CLIENTS - AT_ONCE,
        "The API broke off the connection.": AT_ONCE,
    }
