"""Retries and the circuit breaker."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import replace

import pytest
from tests.runtime.conftest import JSON_ANSWER, Serving, WireRequest, WireUpstream
from tests.thorough import sample

from mcpgen_runtime.limits.circuit_breaker import CircuitBreaker, CircuitBreakerSettings
from mcpgen_runtime.limits.concurrency import Caps, CapSettings
from mcpgen_runtime.limits.retries import RESERVE, Retries, RetrySettings
from mcpgen_runtime.tool import Hints, Route, Tool

pytestmark = pytest.mark.anyio

GET = Tool("get", "Get", "Gets it.", Route("GET", "/it"), Hints(True, False, True))
PUT = replace(GET, name="put", route=Route("PUT", "/it"), hints=Hints(False, True, True))
POST = replace(GET, name="post", route=Route("POST", "/it"), hints=Hints(False, False, False))
SEARCH = replace(POST, name="search", hints=Hints(True, False, False))
TOOLS = (GET, PUT, POST, SEARCH)


def status(code: int, *headers: str) -> bytes:
    """Returns an answer without a body."""
    head = "".join(f"{line}\r\n" for line in headers)
    return f"HTTP/1.1 {code} Oh\r\nContent-Length: 0\r\n{head}\r\n".encode()


def answers(*first: bytes) -> Callable[[WireRequest], bytes]:
    """Answers with the given responses first, then with success."""
    waiting = list(first)
    return lambda _: waiting.pop(0) if waiting else JSON_ANSWER


def retries(attempts: int = 2, wait_seconds: float = 5.0) -> Retries:
    """Returns the rule of retries."""
    return Retries(RetrySettings(), attempts=attempts, wait_seconds=wait_seconds)


@pytest.mark.parametrize("code", sample([503, 408, 429, 502, 504], 5, "repeats the proof"))
@pytest.mark.parametrize("tool", ["get", "put", "search"])
async def test_a_request_that_may_be_repeated_is_repeated(
    serving: Serving, upstream: WireUpstream, tool: str, code: int
) -> None:
    upstream.answer = answers(status(code), status(code))

    async with serving(*TOOLS, upstream=upstream.url, rules=[retries()]) as client:
        result = await client.call(tool)

    assert not result["isError"]
    assert len(upstream.requests) == 3


@pytest.mark.parametrize(("tool", "code"), [("post", 503), ("get", 500), ("get", 404)])
async def test_what_would_do_harm_or_not_help_is_sent_once(
    serving: Serving, upstream: WireUpstream, tool: str, code: int
) -> None:
    upstream.answer = answers(status(code))

    async with serving(*TOOLS, upstream=upstream.url, rules=[retries()]) as client:
        assert str(code) in await client.error(tool)

    assert len(upstream.requests) == 1


async def test_the_last_answer_is_told_after_the_last_attempt(
    serving: Serving, upstream: WireUpstream
) -> None:
    upstream.answer = lambda _: status(503)

    async with serving(*TOOLS, upstream=upstream.url, rules=[retries(1)]) as client:
        assert "503" in await client.error("get")

    assert len(upstream.requests) == 2


async def test_a_connection_that_breaks_off_is_tried_again(
    serving: Serving, upstream: WireUpstream
) -> None:
    upstream.answer = answers(b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 9\r\n\r\n{")

    async with serving(*TOOLS, upstream=upstream.url, rules=[retries()]) as client:
        assert not (await client.call("get"))["isError"]

    assert len(upstream.requests) == 2


async def test_the_api_says_when_to_come_back(serving: Serving, upstream: WireUpstream) -> None:
    upstream.answer = answers(status(429, "Retry-After: 1"))

    async with serving(*TOOLS, upstream=upstream.url, rules=[retries()]) as client:
        began = time.monotonic()
        await client.call("get")

    assert time.monotonic() - began >= 1
    assert len(upstream.requests) == 2


@pytest.mark.parametrize("delay", ["60", "Fri, 31 Dec 2999 23:59:59 GMT", "9" * 400])
async def test_nobody_waits_longer_than_allowed(
    serving: Serving, upstream: WireUpstream, delay: str
) -> None:
    upstream.answer = lambda _: status(503, f"Retry-After: {delay}")

    async with serving(*TOOLS, upstream=upstream.url, rules=[retries()]) as client:
        assert f"Retry-After: {delay[:100]}" in await client.error("get")

    assert len(upstream.requests) == 1


async def test_nobody_waits_for_what_would_come_after_the_end_of_the_call(
    serving: Serving, upstream: WireUpstream
) -> None:
    upstream.answer = lambda _: status(503, "Retry-After: 3")
    rules = [Caps(CapSettings(), call_seconds=2), retries()]

    async with serving(*TOOLS, upstream=upstream.url, rules=rules) as client:
        assert "503" in await client.error("get")

    assert len(upstream.requests) == 1


async def test_an_api_that_is_down_is_not_hammered(
    serving: Serving, upstream: WireUpstream
) -> None:
    upstream.answer = lambda _: status(503)
    rule = retries(attempts=1, wait_seconds=0)

    async with serving(*TOOLS, upstream=upstream.url, rules=[rule]) as client:
        for _ in range(30):
            await client.error("get")

    assert len(upstream.requests) == 30 + int(RESERVE)


def breaker(failures: int = 3, seconds: float = 60) -> CircuitBreaker:
    """Returns the circuit breaker."""
    return CircuitBreaker(CircuitBreakerSettings(), failures=failures, seconds=seconds)


async def test_an_api_that_has_failed_often_is_not_asked_any_more(
    serving: Serving, upstream: WireUpstream
) -> None:
    upstream.answer = lambda _: status(502)

    async with serving(*TOOLS, upstream=upstream.url, rules=[breaker()]) as client:
        messages = [await client.error("get") for _ in range(5)]

    assert ["502" in text for text in messages] == [True, True, True, False, False]
    assert messages[-1] == (
        "The API has failed 3 times in a row and is not asked now; try again in 60 seconds."
    )
    assert len(upstream.requests) == 3


async def test_an_api_that_refuses_connections_is_left_alone_too(
    serving: Serving, upstream: WireUpstream
) -> None:
    async with serving(*TOOLS, upstream="http://127.0.0.1:9", rules=[breaker()]) as client:
        messages = [await client.error("get") for _ in range(4)]

    assert messages[2] == "The API refuses the connection."
    assert "is not asked now" in messages[3]


@pytest.mark.parametrize("code", [200, 404, 500])
async def test_an_answer_that_is_no_outage_keeps_the_way_open(
    serving: Serving, upstream: WireUpstream, code: int
) -> None:
    outage_answer, api_answer = status(503), status(code)
    upstream.answer = answers(*[outage_answer, outage_answer, api_answer] * 3)

    async with serving(*TOOLS, upstream=upstream.url, rules=[breaker()]) as client:
        for _ in range(9):
            await client.call("get")

    assert len(upstream.requests) == 9


async def test_after_a_while_one_request_finds_out_whether_the_api_is_back(
    serving: Serving, upstream: WireUpstream
) -> None:
    upstream.answer = answers(*[status(503)] * 4)

    async with serving(*TOOLS, upstream=upstream.url, rules=[breaker(3, 0.3)]) as client:
        for _ in range(3):
            await client.error("get")
        await asyncio.sleep(0.4)
        probe_error = await client.error("get")
        closed_error = await client.error("get")
        await asyncio.sleep(0.4)
        upstream.hold_seconds = 0.2
        results = await asyncio.gather(*(client.call("get") for _ in range(4)))
        later_result = await client.call("get")

    assert "503" in probe_error
    assert "is not asked now" in closed_error
    assert sorted(result["isError"] for result in results) == [False, True, True, True]
    assert not later_result["isError"]
    assert len(upstream.requests) == 6


async def test_a_probe_that_is_given_up_leaves_room_for_the_next(
    serving: Serving, upstream: WireUpstream
) -> None:
    upstream.answer = answers(*[status(503)] * 3)
    rules = [Caps(CapSettings(), call_seconds=0.2), breaker(3, 0.1)]

    async with serving(*TOOLS, upstream=upstream.url, rules=rules) as client:
        for _ in range(3):
            await client.error("get")
        await asyncio.sleep(0.2)
        upstream.hold_seconds = 1
        await client.error("get")
        upstream.hold_seconds = 0
        result = await client.call("get")

    assert not result["isError"]


async def test_a_way_that_is_open_is_not_asked_again_and_again_by_retries(
    serving: Serving, upstream: WireUpstream
) -> None:
    upstream.answer = lambda _: status(503)
    rules = [retries(attempts=5, wait_seconds=0), breaker(3)]

    async with serving(*TOOLS, upstream=upstream.url, rules=rules) as client:
        assert "is not asked now" in await client.error("get")

    assert len(upstream.requests) == 3
