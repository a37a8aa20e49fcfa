"""Streamed answers that come item by item, and may never end."""

from __future__ import annotations

import asyncio
import gzip
import json
import zlib
from collections.abc import AsyncIterator
from typing import Any

import pytest
from tests.runtime.conftest import Serving, WireUpstream

from mcpgen_runtime.tool import Hints, Route, Tool
from mcpgen_runtime.upstream.credentials import SecurityScheme

pytestmark = pytest.mark.anyio

HINTS = Hints(read_only=True, destructive=False, idempotent=True)
KEY = SecurityScheme("key", "apiKey", place="header", name="X-Key", setting="key")
EVENTS, LINES = "text/event-stream", "application/x-ndjson"


def tool(accept: str, **more: Any) -> Tool:
    """Returns a tool that accepts a stream."""
    return Tool(
        "t", "T", "", Route("GET", "/t", accept=accept, **more.pop("route", {})), HINTS, **more
    )


def raw_response(body: bytes, media_type: str, *headers: str) -> bytes:
    """Returns a complete response."""
    head = [f"Content-Type: {media_type}", f"Content-Length: {len(body)}", *headers, "", ""]
    return "\r\n".join(["HTTP/1.1 200 OK", *head]).encode() + body


def endless(media_type: str, *headers: str) -> bytes:
    """Returns the head of an answer whose end is the end of the connection."""
    head = ["HTTP/1.1 200 OK", f"Content-Type: {media_type}", "Connection: close", *headers, "", ""]
    return "\r\n".join(head).encode()


async def call_tool(upstream: WireUpstream, serving: Serving, tool: Tool, **settings: Any) -> Any:
    """Returns the result of a call."""
    async with serving(tool, upstream=upstream.url, **settings) as client:
        return await client.call("t")


def texts(result: Any) -> list[str]:
    """Returns the texts of a result."""
    return [block["text"] for block in result["content"]]


@pytest.mark.parametrize(
    ("stream_text", "items"),
    [
        ("data: a\n\n", [{"data": "a"}]),
        ("data:a\ndata:  b\n\n", [{"data": "a\n b"}]),
        ("data\n\n", [{"data": ""}]),
        (
            'event: add\nid: 7\ndata: {"n": 1}\nretry: 3000\n\n',
            [{"event": "add", "id": "7", "retry": 3000, "data": {"n": 1}}],
        ),
        (": a comment\n\nid: 9\n\ndata: a\n\n", [{"data": "a"}]),
        ("data: a\r\n\r\ndata: b\r\rdata: c\n\n", [{"data": "a"}, {"data": "b"}, {"data": "c"}]),
        ("data: a\r\r", [{"data": "a"}]),
        ("\ufeffdata: a\n\n", [{"data": "a"}]),
        ("other: x\ndata: [DONE]\nid: a\0b\nretry: 1x\n\n", [{"data": "[DONE]"}]),
        ("data: NaN\n\n", [{"data": "NaN"}]),
        ("data: [1e400]\n\n", [{"data": "[1e400]"}]),
    ],
)
async def test_events_are_read_as_the_html_standard_says(
    upstream: WireUpstream, serving: Serving, stream_text: str, items: Any
) -> None:
    upstream.answer = lambda _: raw_response(stream_text.encode(), f"{EVENTS}; charset=utf-8")

    result = await call_tool(upstream, serving, tool(EVENTS))

    assert not result["isError"]
    assert [json.loads(line) for line in texts(result)[0].split("\n")] == items
    assert len(result["content"]) == 1


async def test_event_without_an_end_is_left_out_and_told(
    upstream: WireUpstream, serving: Serving
) -> None:
    upstream.answer = lambda _: raw_response(b"data: a\n\ndata: b\n", EVENTS)

    result = await call_tool(upstream, serving, tool(EVENTS))

    assert texts(result) == ['{"data":"a"}', "The last item was incomplete and is left out."]


@pytest.mark.parametrize(
    ("media_type", "body"),
    [
        (LINES, b'{"a": 1}\n\n[2]\r\n"3"'),
        ("application/jsonl", b'{"a": 1}\n[2]\n"3"\n'),
        ("application/json-seq", b'\x1e{"a": 1}\n\x1e[2]\n\x1e"3"\n'),
        ("application/geo+json-seq", b'\x1e{"a":\n1}\n\x1e[2]\n\x1e"3"'),
    ],
)
async def test_json_comes_line_by_line(
    upstream: WireUpstream, serving: Serving, media_type: str, body: bytes
) -> None:
    upstream.answer = lambda _: raw_response(body, media_type)

    result = await call_tool(upstream, serving, tool(media_type))

    assert texts(result) == ['{"a":1}\n[2]\n"3"']


async def test_line_that_is_no_json_is_shown_as_text_and_told(
    upstream: WireUpstream, serving: Serving
) -> None:
    upstream.answer = lambda _: raw_response(b'{"a":1}\noops\n', LINES)

    result = await call_tool(upstream, serving, tool(LINES))

    assert texts(result)[0] == '{"a":1}\n"oops"'
    assert "1 of the items are not JSON" in texts(result)[1]


async def test_stream_without_items_says_so(upstream: WireUpstream, serving: Serving) -> None:
    upstream.answer = lambda _: raw_response(b": nothing\n\n", EVENTS)

    result = await call_tool(upstream, serving, tool(EVENTS))

    assert not result["isError"]
    assert texts(result) == ["The stream ended without an item."]


async def ticking() -> AsyncIterator[bytes]:
    """Yields an event every few milliseconds, for ever."""
    number = 0
    while True:
        yield f"data: {number}\n\n".encode()
        number += 1
        await asyncio.sleep(0.01)


async def test_endless_stream_ends_at_the_limit_of_items_and_is_hung_up(
    upstream: WireUpstream, serving: Serving
) -> None:
    upstream.answer, upstream.more = lambda _: endless(EVENTS), ticking

    result = await call_tool(upstream, serving, tool(EVENTS), stream_items=3)
    await asyncio.wait_for(upstream.hung_up.wait(), 120)

    assert not result["isError"]
    assert texts(result) == [
        '{"data":0}\n{"data":1}\n{"data":2}',
        "The stream was cut after 3 items, which is the limit; 3 items came before, and more may "
        "follow.",
    ]


async def test_endless_stream_ends_at_the_limit_of_bytes(
    upstream: WireUpstream, serving: Serving
) -> None:
    upstream.answer, upstream.more = lambda _: endless(EVENTS), ticking

    result = await call_tool(upstream, serving, tool(EVENTS), result_bytes=25)

    assert texts(result)[0] == '{"data":0}\n{"data":1}'
    assert texts(result)[1].startswith("The stream was cut after 25 bytes, which is the limit; 2 ")
    assert texts(result)[1].endswith("The last item was incomplete and is left out.")


@pytest.mark.parametrize("limit", ["stream_seconds", "timeout_seconds"])
async def test_what_came_before_the_deadline_is_a_result_that_says_it_was_cut(
    upstream: WireUpstream, serving: Serving, limit: str
) -> None:
    async def silence() -> AsyncIterator[bytes]:
        yield b"data: a\n\n"
        await upstream.hung_up.wait()

    upstream.answer, upstream.more = lambda _: endless(EVENTS), silence

    result = await asyncio.wait_for(call_tool(upstream, serving, tool(EVENTS), **{limit: 2}), 120)

    assert not result["isError"]
    assert texts(result)[0] == '{"data":"a"}'
    assert "cut after 2 seconds, which is the limit; 1 item came before" in texts(result)[1]


async def test_stream_that_breaks_is_a_failure_with_what_came(
    upstream: WireUpstream, serving: Serving
) -> None:
    head = endless(LINES, "Content-Length: 100")
    upstream.answer = lambda _: head + b'{"a":1}\n{"b"'

    result = await call_tool(upstream, serving, tool(LINES))

    assert result["isError"]
    assert texts(result)[0] == '{"a":1}'
    assert "because the API broke off the connection; 1 item came before" in texts(result)[1]


async def test_compressed_stream_is_read_as_it_comes(
    upstream: WireUpstream, serving: Serving
) -> None:
    packer = zlib.compressobj(wbits=31)

    async def send_compressed() -> AsyncIterator[bytes]:
        yield packer.compress(b"data: a\n\n") + packer.flush(zlib.Z_SYNC_FLUSH)
        await upstream.hung_up.wait()

    upstream.answer = lambda _: endless(EVENTS, "Content-Encoding: gzip")
    upstream.more = send_compressed

    result = await call_tool(upstream, serving, tool(EVENTS), stream_seconds=0.3)

    assert texts(result)[0] == '{"data":"a"}'


async def test_compressed_stream_has_a_limit_after_decompression(
    upstream: WireUpstream, serving: Serving
) -> None:
    bomb = gzip.compress(b'{"a":1}\n' + b" " * 50_000_000)
    upstream.answer = lambda _: raw_response(bomb, LINES, "Content-Encoding: gzip")

    result = await call_tool(upstream, serving, tool(LINES), result_bytes=10_000)

    assert texts(result)[0] == '{"a":1}'
    assert "after 10000 bytes" in texts(result)[1]


async def test_secret_in_a_stream_is_taken_out(upstream: WireUpstream, serving: Serving) -> None:
    upstream.answer = lambda _: raw_response(b'data: {"k":"abcdefgh"}\n\n', EVENTS)
    keyed_tool = tool(EVENTS, route={"security": (("key",),)})

    result = await call_tool(upstream, serving, keyed_tool, schemes=(KEY,), key="abcdefgh")

    assert texts(result) == ['{"data":{"k":"[secret]"}}']


async def test_items_are_the_structured_form_where_that_was_announced(
    upstream: WireUpstream, serving: Serving
) -> None:
    upstream.answer = lambda _: raw_response(b'{"a":1}\n{"a":2}\n', LINES)
    output = {"type": "object", "properties": {"result": {"type": "array"}}, "required": ["result"]}

    result = await call_tool(upstream, serving, tool(LINES, output=output, wrapped=True))

    assert result["structuredContent"] == {"result": [{"a": 1}, {"a": 2}]}


async def test_stream_is_read_also_where_json_was_asked_for(
    upstream: WireUpstream, serving: Serving
) -> None:
    upstream.answer = lambda _: raw_response(b"data: 1\n\n", EVENTS)

    result = await call_tool(upstream, serving, tool("application/json"))

    assert texts(result) == ['{"data":1}']
