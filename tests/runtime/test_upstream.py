"""The network is hostile: bombs, redirects, silence."""

from __future__ import annotations

import asyncio
import gzip
import json
import socket
import tracemalloc
import zlib
from collections.abc import AsyncIterator, Callable
from typing import Any

import aiohttp
import pytest
from tests.runtime.conftest import Serving, WireUpstream, upstream_running

from mcpgen_runtime.hooks import Hooks
from mcpgen_runtime.server.calls import UNSURE
from mcpgen_runtime.tool import Argument, Body, Hints, Route, Tool
from mcpgen_runtime.upstream.client import INFORMATIONAL
from mcpgen_runtime.upstream.credentials import SecurityScheme

pytestmark = pytest.mark.anyio

HINTS = Hints(read_only=True, destructive=False, idempotent=True)
GET = Tool("get", "Get", "", Route("GET", "/a", security=((), ("key",))), HINTS)
KEYED = Tool("get", "Get", "", Route("GET", "/a", security=(("key",),)), HINTS)
POST = Tool("post", "Post", "", Route("POST", "/a", body=Body("application/json", True)), HINTS)
WRITE = Tool("put", "Put", "", Route("PUT", "/a"), Hints(False, True, True))
KEY = SecurityScheme("key", "apiKey", place="header", name="X-Key", setting="key")


def raw_response(body: bytes, *headers: str, status: str = "200 OK") -> bytes:
    """Returns a raw answer."""
    head = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", *headers, "", ""]
    return "\r\n".join(head).encode() + body


JSON = "Content-Type: application/json"


@pytest.mark.parametrize(
    ("coding", "pack"), [("gzip", gzip.compress), ("deflate", zlib.compress), ("identity", bytes)]
)
async def test_compressed_answer_is_read(
    upstream: WireUpstream, serving: Serving, coding: str, pack: Callable[[bytes], bytes]
) -> None:
    upstream.answer = lambda _: raw_response(pack(b'{"a": 1}'), JSON, f"Content-Encoding: {coding}")

    async with serving(GET, upstream=upstream.url) as client:
        result = await client.call("get")

    assert result["content"][0]["text"] == '{"a":1}'


async def test_a_method_is_sent_with_its_own_capitalization(
    upstream: WireUpstream, serving: Serving
) -> None:
    link = Tool("link", "Link", "", Route("Link", "/a"), HINTS)

    async with serving(link, upstream=upstream.url) as client:
        await client.call("link")

    assert [request.line for request in upstream.requests] == ["Link /a HTTP/1.1"]


async def test_two_members_of_gzip_are_one_answer(upstream: WireUpstream, serving: Serving) -> None:
    body = gzip.compress(b'{"a"') + gzip.compress(b": 1}")
    upstream.answer = lambda _: raw_response(body, JSON, "Content-Encoding: gzip")

    async with serving(GET, upstream=upstream.url) as client:
        result = await client.call("get")

    assert result["content"][0]["text"] == '{"a":1}'


EARLY = b"HTTP/1.1 103 Early Hints\r\n\r\n"


async def test_informational_answers_before_an_answer_are_left_out(
    upstream: WireUpstream, serving: Serving
) -> None:
    upstream.answer = lambda _: EARLY * INFORMATIONAL + raw_response(b"{}", JSON)

    async with serving(GET, upstream=upstream.url) as client:
        results = [await client.call("get") for _ in range(2)]

    assert [result["isError"] for result in results] == [False, False]


async def test_flood_of_informational_answers_ends_the_call_before_its_time(
    upstream: WireUpstream, serving: Serving
) -> None:
    async def flood() -> AsyncIterator[bytes]:
        while True:
            yield EARLY

    upstream.answer = lambda _: EARLY
    upstream.more = flood

    async with serving(GET, upstream=upstream.url, timeout_seconds=600) as client:
        message = await client.error("get")
    await asyncio.wait_for(upstream.hung_up.wait(), 120)

    assert message == "The API answered with what is no HTTP, or with too large a header."


BOMB_BYTES = 200 << 20


def bomb() -> bytes:
    """200 MiB of zeros in gzip."""
    packer = zlib.compressobj(wbits=31)
    parts = [packer.compress(bytes(1 << 20)) for _ in range(BOMB_BYTES >> 20)]
    return b"".join([*parts, packer.flush()])


@pytest.mark.parametrize("media_type", ["application/json", "text/event-stream", "image/png"])
async def test_gzip_bomb_stops_at_the_budget(
    upstream: WireUpstream, serving: Serving, media_type: str
) -> None:
    head = (f"Content-Type: {media_type}", "Content-Encoding: gzip")
    answer = raw_response(bomb(), *head)
    upstream.answer = lambda _: answer

    async with serving(GET, upstream=upstream.url, result_bytes=100_000) as client:
        await client.call("get")
        tracemalloc.start()
        result = await client.call("get")
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()

    assert "100000 bytes" in json.dumps(result)
    assert peak < 5_000_000


async def test_gzip_inside_gzip_is_no_text(upstream: WireUpstream, serving: Serving) -> None:
    body = gzip.compress(gzip.compress(b"{}"))
    upstream.answer = lambda _: raw_response(body, JSON, "Content-Encoding: gzip")

    async with serving(GET, upstream=upstream.url) as client:
        message = await client.error("get")

    assert message == "The API's answer is not the JSON it claims."


async def endless_chunks() -> AsyncIterator[bytes]:
    """Chunks for ever."""
    while True:
        yield b"400\r\n" + b" " * 0x400 + b"\r\n"


async def drops() -> AsyncIterator[bytes]:
    """Yields a byte now and then, for ever."""
    while True:
        yield b" "
        await asyncio.sleep(0.02)


CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Type: application/json\r\n\r\n"
SLOW = b"HTTP/1.1 200 OK\r\nContent-Length: 9999\r\nContent-Type: application/json\r\n\r\n"


@pytest.mark.parametrize(
    ("head", "more", "words"),
    [
        (CHUNKED, endless_chunks, "larger than 50000 bytes"),
        (SLOW, drops, "did not answer within 0.5 seconds"),
        (b"HTTP/1.1 200 OK\r\nX-Slow: ", drops, "did not answer within 0.5 seconds"),
    ],
)
async def test_answer_without_an_end_ends_and_the_server_lives(
    upstream: WireUpstream, serving: Serving, head: bytes, more: Any, words: str
) -> None:
    upstream.answer, upstream.more = lambda _: head, more
    limits = {"result_bytes": 50_000, "timeout_seconds": 0.5}

    async with serving(GET, upstream=upstream.url, **limits) as client:
        message = await client.error("get")
        await asyncio.wait_for(upstream.hung_up.wait(), 120)
        upstream.answer, upstream.more = lambda _: raw_response(b"{}", JSON), None
        second_result = await client.call("get")

    assert words in message
    assert not second_result["isError"]


@pytest.mark.parametrize(
    "head",
    [
        b"X: " + b"y" * 200_000,
        b"".join(b"X-%d: y\r\n" % n for n in range(50_000)) + b"Y: z",
        b"X" * 100_000 + b": y",
        b"Content-Length: -1",
        b"Content-Length: 1\r\nContent-Length: 2",
    ],
)
async def test_header_that_is_too_large_or_makes_no_sense_is_told(
    upstream: WireUpstream, serving: Serving, head: bytes
) -> None:
    upstream.answer = lambda _: b"HTTP/1.1 200 OK\r\n" + head + b"\r\n\r\n"

    async with serving(GET, upstream=upstream.url) as client:
        message = await client.error("get")

    assert message == "The API answered with what is no HTTP, or with too large a header."


async def test_answer_that_is_longer_than_it_says_is_never_taken_for_the_next(
    upstream: WireUpstream, serving: Serving
) -> None:
    head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n"
    upstream.answer = lambda _: head + b'{}, "more": 1}'

    async with serving(GET, upstream=upstream.url) as client:
        results = [await client.call("get") for _ in range(3)]

    assert {result["content"][0]["text"] for result in results} <= {
        "{}",
        "The API answered with what is no HTTP, or with too large a header.",
    }


@pytest.mark.parametrize(
    "answer",
    [
        b'HTTP/1.0 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n{"a":1}',
        b"HTTP/1.1 100 Continue\r\n\r\n" + raw_response(b'{"a":1}', JSON),
        b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + raw_response(b'{"a":1}', JSON),
        raw_response(b'{"a":1}', JSON, status="200"),
        raw_response(b'{"a":1}', JSON, status="299 Odd"),
    ],
)
async def test_odd_but_legal_http_is_understood(
    upstream: WireUpstream, serving: Serving, answer: bytes
) -> None:
    upstream.answer = lambda _: answer

    async with serving(GET, upstream=upstream.url) as client:
        result = await client.call("get")

    assert result["content"] == [{"type": "text", "text": '{"a":1}'}]


async def test_change_of_protocols_is_no_answer(upstream: WireUpstream, serving: Serving) -> None:
    upstream.answer = lambda _: b"HTTP/1.1 101 Switching Protocols\r\nConnection: close\r\n\r\n"

    async with serving(GET, upstream=upstream.url) as client:
        message = await client.error("get")

    assert "101 Switching Protocols" in message


async def test_name_that_nobody_knows_is_told(serving: Serving) -> None:
    async with serving(GET, upstream="http://there-is-no-such-host.invalid") as client:
        message = await client.error("get")

    assert message == "The API has a host name that is not known."


async def test_server_that_speaks_no_tls_is_told(serving: Serving) -> None:
    async def hang_up(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        writer.close()

    server = await asyncio.start_server(hang_up, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    async with server, serving(GET, upstream=f"https://127.0.0.1:{port}") as client:
        message = await client.error("get")

    assert message == "The API does not speak TLS as it should."


@pytest.mark.parametrize("coding", ["gzip, gzip", "br", "zstd"])
async def test_coding_that_was_not_asked_for_is_a_failure(
    upstream: WireUpstream, serving: Serving, coding: str
) -> None:
    body = gzip.compress(gzip.compress(b"{}"))
    upstream.answer = lambda _: raw_response(body, JSON, f"Content-Encoding: {coding}")

    async with serving(GET, upstream=upstream.url) as client:
        message = await client.error("get")

    assert "not asked for" in message


@pytest.mark.parametrize("cut", [3, -4])
async def test_broken_gzip_is_a_failure(upstream: WireUpstream, serving: Serving, cut: int) -> None:
    body = b"x" * 20 if cut == 3 else gzip.compress(b'{"a": 1}')[:cut]
    upstream.answer = lambda _: raw_response(body, JSON, "Content-Encoding: gzip")

    async with serving(GET, upstream=upstream.url) as client:
        message = await client.error("get")

    assert "compressed data" in message


async def test_redirect_inside_the_origin_is_followed_with_the_credential(
    upstream: WireUpstream, serving: Serving
) -> None:
    upstream.answer = lambda request: (
        raw_response(b"", "Location: /b?x=1", status="302 Found")
        if request.target == "/a"
        else raw_response(b"{}", JSON)
    )

    async with serving(KEYED, schemes=(KEY,), upstream=upstream.url, key="abcdefgh") as client:
        result = await client.call("get")

    assert not result["isError"]
    assert [request.target for request in upstream.requests] == ["/a", "/b?x=1"]
    assert upstream.requests[1].all("x-key") == ["abcdefgh"]


async def test_redirect_with_characters_that_a_request_line_cannot_have_is_encoded(
    upstream: WireUpstream, serving: Serving
) -> None:
    upstream.answer = lambda request: (
        raw_response(b"", "Location: /r\u00e9 s/%20\x01?q=a b", status="302 Found")
        if request.target == "/a"
        else raw_response(b"{}", JSON)
    )

    async with serving(GET, upstream=upstream.url) as client:
        result = await client.call("get")

    assert not result["isError"]
    assert upstream.requests[1].line == "GET /r%C3%A9%20s/%20%01?q=a%20b HTTP/1.1"


async def test_redirect_to_another_origin_is_told_and_not_followed(
    upstream: WireUpstream, serving: Serving
) -> None:
    async with upstream_running() as other_upstream:
        upstream.answer = lambda _: raw_response(
            b"", f"Location: {other_upstream.url}/b", status="307 Moved"
        )

        async with serving(KEYED, schemes=(KEY,), upstream=upstream.url, key="abcdefgh") as client:
            message = await client.error("get")

        assert f"{other_upstream.url}/b" in message
        assert other_upstream.requests == []


async def test_redirect_of_a_post_is_not_followed(upstream: WireUpstream, serving: Serving) -> None:
    upstream.answer = lambda _: raw_response(b"", "Location: /b", status="307 Moved")

    async with serving(POST, upstream=upstream.url) as client:
        message = await client.error("post")

    assert "307" in message
    assert len(upstream.requests) == 1


async def test_endless_redirects_end(upstream: WireUpstream, serving: Serving) -> None:
    upstream.answer = lambda _: raw_response(b"", "Location: /a", status="302 Found")

    async with serving(GET, upstream=upstream.url) as client:
        message = await client.error("get")

    assert "redirects more than 5 times" in message


async def test_silence_is_a_failure_after_the_time_limit(
    upstream: WireUpstream, serving: Serving
) -> None:
    upstream.hold_seconds = 5

    async with serving(GET, upstream=upstream.url, timeout_seconds=0.2) as client:
        message = await client.error("get")

    assert message == "The API did not answer within 0.2 seconds."


async def test_refused_connection_is_told_in_plain_words(serving: Serving) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]

    async with serving(GET, upstream=f"http://127.0.0.1:{port}") as client:
        message = await client.error("get")

    assert message == "The API refuses the connection."


async def test_connection_that_breaks_is_told_in_plain_words(
    upstream: WireUpstream, serving: Serving
) -> None:
    upstream.answer = (
        lambda _: b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 9\r\n\r\nabc"
    )

    async with serving(GET, upstream=upstream.url) as client:
        message = await client.error("get")

    assert message == "The API broke off the connection."


@pytest.mark.parametrize(
    ("answer", "timeout_seconds", "reason"),
    [
        (b"", 30, "The API broke off the connection"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\na", 30, "The API broke off the connection"),
        (
            b"no HTTP\r\n\r\n",
            30,
            "The API answered with what is no HTTP, or with too large a header",
        ),
        (
            raw_response(b"no gzip", "Content-Encoding: gzip"),
            30,
            "The API answered with broken compressed data",
        ),
        (
            raw_response(b"x", "Content-Encoding: br"),
            30,
            "The API answered in a compression that was not asked for",
        ),
        (None, 0.2, "The API did not answer within 0.2 seconds"),
    ],
)
async def test_a_write_that_was_sent_may_have_been_carried_out_and_the_text_says_so(
    upstream: WireUpstream,
    serving: Serving,
    answer: bytes | None,
    timeout_seconds: float,
    reason: str,
) -> None:
    if answer is None:
        upstream.barrier = asyncio.Barrier(2)
    else:
        upstream.answer, upstream.closes = lambda _: answer, True

    async with serving(WRITE, upstream=upstream.url, timeout_seconds=timeout_seconds) as client:
        message = await client.error("put")

    assert message == f"{reason}; {UNSURE}."


@pytest.mark.parametrize(
    "answer",
    [
        raw_response(b"x" * 101, JSON),
        raw_response(b"<p>", "Content-Type: text/html"),
        raw_response(b"{", JSON),
    ],
    ids=["large", "other type", "broken"],
)
@pytest.mark.parametrize(("tool", "is_unsure"), [(WRITE, True), (GET, False)])
async def test_a_write_with_an_answer_that_is_not_shown_may_have_been_carried_out(
    upstream: WireUpstream, serving: Serving, tool: Tool, is_unsure: bool, answer: bytes
) -> None:
    upstream.answer = lambda _: answer

    async with serving(tool, upstream=upstream.url, result_bytes=100) as client:
        result = await client.call(tool.name)

    assert result["isError"]
    notes = [block["text"] for block in result["content"][1:]]
    assert notes == ([f"Note: {UNSURE}."] if is_unsure else [])


async def test_a_write_that_was_not_sent_was_not_carried_out(serving: Serving) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]

    async with serving(WRITE, upstream=f"http://127.0.0.1:{port}") as client:
        message = await client.error("put")

    assert message == "The API refuses the connection."


async def test_a_write_whose_connection_ends_is_sent_once_by_a_client_of_hooks_too(
    upstream: WireUpstream, serving: Serving
) -> None:
    names: list[str] = []

    async def note(
        request: aiohttp.ClientRequest, send: aiohttp.ClientHandlerType
    ) -> aiohttp.ClientResponse:
        names.append(request.method)
        return await send(request)

    hooks = Hooks(client=lambda: aiohttp.ClientSession(middlewares=(note,)))
    upstream.answer, upstream.closes = lambda _: b"", True

    async with serving(WRITE, upstream=upstream.url, hooks=hooks) as client:
        await client.error("put")

    assert len(upstream.requests) == 1
    assert names == ["PUT"]


async def test_cookies_of_the_api_do_not_travel_with_the_next_call(
    upstream: WireUpstream, serving: Serving
) -> None:
    upstream.answer = lambda _: raw_response(b"{}", JSON, "Set-Cookie: session=someone-elses")

    async with serving(GET, upstream=upstream.url) as client:
        await client.call("get")
        await client.call("get")

    assert upstream.requests[1].all("cookie") == []


async def test_upstream_that_was_chosen_stands_for_the_host_of_the_operations_own(
    upstream: WireUpstream, serving: Serving
) -> None:
    route_with_path = Route("GET", "/a", base_url="http://192.0.2.1/other")
    route_without_path = Route("GET", "/a", base_url="http://192.0.2.1")
    route_with_two_slashes = Route("GET", "/a", base_url="http://192.0.2.1//192.0.2.2")
    routes = {"one": route_with_path, "two": route_without_path, "three": route_with_two_slashes}
    tools = [Tool(name, "", "", route, HINTS) for name, route in routes.items()]

    async with serving(*tools, upstream=f"{upstream.url}/api") as client:
        await client.call("one")
        await client.call("two")
        await client.call("three")

    targets = [request.target for request in upstream.requests]
    assert targets == ["/other/a", "/api/a", "//192.0.2.2/a"]


async def test_bytes_on_the_wire_are_those_that_were_assembled(
    upstream: WireUpstream, serving: Serving
) -> None:
    argument = Argument("q", "query", {"type": "string"}, style="form", explode=True, reserved=True)
    tool = Tool("get", "Get", "", Route("GET", "/a%2Fb/c:d"), HINTS, (argument,))

    async with serving(tool, upstream=upstream.url) as client:
        await client.call("get", q="x/[y]%41'")

    assert upstream.requests[0].target == "/a%2Fb/c:d?q=x/%5By%5D%2541'"


async def test_base_url_without_a_host_is_a_path_where_the_api_is(
    upstream: WireUpstream, serving: Serving
) -> None:
    root = Tool("root", "Root", "", Route("GET", "/a", base_url="/"), HINTS)
    other_tool = Tool("other", "Other", "", Route("GET", "/a", base_url="/v2"), HINTS)

    async with serving(root, other_tool, upstream=f"{upstream.url}/api/v1") as client:
        await client.call("root")
        await client.call("other")

    assert [request.target for request in upstream.requests] == ["/a", "/v2/a"]


async def test_request_without_a_body_has_no_content_type(
    upstream: WireUpstream, serving: Serving
) -> None:
    tool = Tool("post", "Post", "", Route("POST", "/a"), HINTS)

    async with serving(tool, upstream=upstream.url) as client:
        await client.call("post")

    assert upstream.requests[0].all("content-type") == []


async def test_only_the_compression_that_every_api_has_is_asked_for(
    upstream: WireUpstream, serving: Serving
) -> None:
    async with serving(GET, upstream=upstream.url) as client:
        await client.call("get")

    assert upstream.requests[0].all("accept-encoding") == ["gzip"]
