"""Rate limits shared by several servers through a real Redis, also during outages."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Iterator

import pytest
from redis.asyncio import Redis
from tests.redis_server import RedisServer, redis_server
from tests.runtime.conftest import Serving, WireUpstream
from tests.runtime.test_rate_limits import TOOL, message, statuses

from mcpgen.conformance.targets.command import free_port
from mcpgen_runtime.limits import redis_client
from mcpgen_runtime.limits.rate_limits import RateLimits, Rates, RateSettings
from mcpgen_runtime.limits.redis_client import RedisSettings
from mcpgen_runtime.limits.sliding_window_redis import redis_windows
from mcpgen_runtime.server.middleware import Middleware

pytestmark = pytest.mark.anyio


@pytest.fixture
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Raises the Redis time-out to 60 s, so a busy machine does not count as an outage."""
    monkeypatch.setattr(redis_client, "STORE_SECONDS", 60.0)


@pytest.fixture
def redis(patience: None) -> Iterator[RedisServer]:
    """Redis."""
    with redis_server() as running:
        yield running


def shared(rates: Rates, url: str, **more: bool) -> tuple[Middleware, ...]:
    """Returns the rule of a server that counts in Redis."""
    store = redis_windows(RedisSettings(limit_store=url))  # type: ignore[arg-type]
    return (RateLimits(RateSettings(), rates, store, code=429, **more),)


async def test_two_servers_let_through_exactly_what_one_would(
    serving: Serving, upstream: WireUpstream, redis: RedisServer
) -> None:
    rates = Rates(all="10/minute")

    async with (
        serving(TOOL, upstream=upstream.url, rules=shared(rates, redis.url)) as first,
        serving(TOOL, upstream=upstream.url, rules=shared(rates, redis.url)) as second,
    ):
        posted = [client.post(message("get")) for _ in range(15) for client in (first, second)]
        status_codes = [response.status_code for response in await asyncio.gather(*posted)]

    assert sorted(status_codes) == [200] * 10 + [429] * 20
    assert len(upstream.requests) == 10


async def test_a_window_in_redis_ends_by_itself_and_names_no_caller(
    serving: Serving, upstream: WireUpstream, redis: RedisServer
) -> None:
    store = redis_windows(RedisSettings(limit_store=redis.url))  # type: ignore[arg-type]
    rules = [RateLimits(RateSettings(), Rates(subject="1/6 seconds"), store, code=429)]

    async with serving(TOOL, upstream=upstream.url, rules=rules) as client:
        refused = (await statuses(client, 2))[-1]
        names = await _keys(redis)
        async with asyncio.timeout(60):
            while await _keys(redis):
                await asyncio.sleep(0.1)
        after = await statuses(client, 1)

    assert refused == 429
    assert len(names) == 1
    assert "anonymous" not in names[0]
    assert after == [200]


async def _keys(redis: RedisServer) -> list[str]:
    async with Redis.from_url(redis.url) as client:
        return [key.decode() for key in await client.keys() if isinstance(key, bytes)]


async def test_a_key_of_another_type_is_replaced(
    serving: Serving, upstream: WireUpstream, redis: RedisServer
) -> None:
    async with (
        serving(
            TOOL, upstream=upstream.url, rules=shared(Rates(all="1/hour"), redis.url)
        ) as client,
        Redis.from_url(redis.url) as other,
    ):
        await statuses(client, 1)
        (key,) = await _keys(redis)
        await other.set(key, "mine")
        replaced = await statuses(client, 2)
        await other.delete(key)
        await other.rpush(key, "mine")
        rewritten = await statuses(client, 2)
        left = await other.ttl(key)

    assert replaced == rewritten == [200, 429]
    assert 0 < left <= 3600


@pytest.mark.parametrize("fault", ["OutOfMemoryError", "ReadOnlyError"])
async def test_a_server_is_not_ready_while_redis_takes_no_writes(
    serving: Serving, upstream: WireUpstream, redis: RedisServer, fault: str
) -> None:
    async with (
        serving(
            TOOL, upstream=upstream.url, rules=shared(Rates(all="9/hour"), redis.url)
        ) as client,
        Redis.from_url(redis.url) as other,
    ):
        before = await client.http.get("/readyz")
        if fault == "OutOfMemoryError":
            await other.config_set("maxmemory", "1")
        else:
            await other.slaveof("127.0.0.1", free_port())
        during = await client.http.get("/readyz")
        answered = await statuses(client, 1)

    assert (before.status_code, during.status_code, answered) == (200, 503, [503])
    assert fault in during.json()["reasons"][0]


async def test_limits_in_redis_do_not_depend_on_the_clock_of_a_server(
    serving: Serving,
    upstream: WireUpstream,
    redis: RedisServer,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rules = shared(Rates(all="2/minute"), redis.url)
    clock = time.time

    async with serving(TOOL, upstream=upstream.url, rules=rules) as client:
        monkeypatch.setattr("time.time", lambda: clock() + 3600)
        ahead = await statuses(client, 2)
        monkeypatch.setattr("time.time", lambda: clock() - 3600)
        behind = await client.post(message("get"))
        monkeypatch.setattr("time.time", lambda: clock() + 7200)
        later = await statuses(client, 1)

    assert (ahead, behind.status_code, later) == ([200, 200], 429, [429])
    assert 1 <= int(behind.headers["retry-after"]) <= 60


async def test_calls_are_refused_while_redis_is_away_and_counted_when_it_is_back(
    serving: Serving, upstream: WireUpstream, redis: RedisServer, caplog: pytest.LogCaptureFixture
) -> None:
    rules = shared(Rates(all="100/minute"), redis.url)

    async with serving(TOOL, upstream=upstream.url, rules=rules) as client:
        before = await statuses(client, 1)
        redis.stop()
        away = await statuses(client, 3)
        redis.start()
        back = await statuses(client, 2)

    assert (before, away, back) == ([200], [503, 503, 503], [200, 200])
    assert len(upstream.requests) == 3
    messages = [record.getMessage() for record in caplog.records if "store" in record.getMessage()]
    assert len(messages) == 2
    assert "calls are refused" in messages[0]
    assert "is back" in messages[1]


@pytest.mark.usefixtures("patience")
async def test_a_server_starts_without_redis_and_takes_calls_once_it_is_there(
    serving: Serving, upstream: WireUpstream, caplog: pytest.LogCaptureFixture
) -> None:
    redis = RedisServer(free_port())
    rules = shared(Rates(all="100/minute"), redis.url)

    try:
        async with serving(TOOL, upstream=upstream.url, rules=rules) as client:
            without = await client.post(message("get"))
            redis.start()
            answered = await statuses(client, 1)
    finally:
        redis.stop()

    assert without.status_code == 503
    assert without.headers["retry-after"] == "1"
    assert without.json()["error"]["code"] == -32603
    assert answered == [200]
    assert "calls are refused" in caplog.text


async def test_calls_go_through_uncounted_without_redis_if_that_is_chosen(
    serving: Serving, upstream: WireUpstream, caplog: pytest.LogCaptureFixture
) -> None:
    url = f"redis://127.0.0.1:{free_port()}"
    rules = shared(Rates(all="1/minute"), url, open=True)

    async with serving(TOOL, upstream=upstream.url, rules=rules) as client:
        assert await statuses(client, 3) == [200, 200, 200]

    assert "let through uncounted" in caplog.text


async def test_a_redis_that_does_not_answer_in_time_is_as_good_as_none(
    serving: Serving, upstream: WireUpstream
) -> None:
    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    server = await asyncio.start_server(silent, "127.0.0.1", 0)
    url = f"redis://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    async with (
        server,
        serving(TOOL, upstream=upstream.url, rules=shared(Rates(all="1/minute"), url)) as client,
    ):
        async with asyncio.timeout(120):
            assert await statuses(client, 1) == [503]


@pytest.mark.parametrize("url", ["localhost", "http://redis", "redis://", "redis:6379"])
def test_an_address_that_is_none_of_redis_is_refused_at_start(url: str) -> None:
    with pytest.raises(ValueError, match="must be a URL that begins with redis://"):
        RedisSettings(limit_store=url)  # type: ignore[arg-type]


def test_a_server_that_shall_count_in_redis_does_not_start_without_its_address() -> None:
    with pytest.raises(
        ValueError, match="LIMIT_STORE is not set: this server keeps its state in Redis"
    ):
        redis_windows(RedisSettings())


def test_the_password_of_redis_is_not_shown() -> None:
    settings = RedisSettings(limit_store="redis://:hunter22@localhost")  # type: ignore[arg-type]

    assert "hunter22" not in repr(settings)


async def test_the_log_does_not_show_the_password_of_a_redis_that_is_away(
    serving: Serving, upstream: WireUpstream, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    rules = shared(Rates(all="1/minute"), f"redis://:hunter22@127.0.0.1:{free_port()}")

    async with serving(TOOL, upstream=upstream.url, rules=rules) as client:
        response = await client.post(message("get"))

    assert "hunter22" not in caplog.text + response.text
