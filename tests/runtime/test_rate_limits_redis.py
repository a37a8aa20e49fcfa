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


def shared_limits(rates: Rates, url: str, **more: bool) -> tuple[Middleware, ...]:
    """Returns the rule of a server that counts in Redis."""
    store = redis_windows(RedisSettings(limit_store=url))  # type: ignore[arg-type]
    return (RateLimits(RateSettings(), rates, store, code=429, **more),)


async def test_two_servers_let_through_exactly_what_one_would(
    serving: Serving, upstream: WireUpstream, redis: RedisServer
) -> None:
    rates = Rates(all="10/minute")

    async with (
        serving(TOOL, upstream=upstream.url, rules=shared_limits(rates, redis.url)) as first,
        serving(TOOL, upstream=upstream.url, rules=shared_limits(rates, redis.url)) as second,
    ):
        posts = [client.post(message("get")) for _ in range(15) for client in (first, second)]
        status_codes = [response.status_code for response in await asyncio.gather(*posts)]

    assert sorted(status_codes) == [200] * 10 + [429] * 20
    assert len(upstream.requests) == 10


async def test_a_window_in_redis_ends_by_itself_and_names_no_caller(
    serving: Serving, upstream: WireUpstream, redis: RedisServer
) -> None:
    store = redis_windows(RedisSettings(limit_store=redis.url))  # type: ignore[arg-type]
    rules = [RateLimits(RateSettings(), Rates(subject="1/6 seconds"), store, code=429)]

    async with serving(TOOL, upstream=upstream.url, rules=rules) as client:
        last_code = (await statuses(client, 2))[-1]
        names = await _keys(redis)
        async with asyncio.timeout(60):
            while await _keys(redis):
                await asyncio.sleep(0.1)
        later_codes = await statuses(client, 1)

    assert last_code == 429
    assert len(names) == 1
    assert "anonymous" not in names[0]
    assert later_codes == [200]


async def _keys(redis: RedisServer) -> list[str]:
    async with Redis.from_url(redis.url) as client:
        return [key.decode() for key in await client.keys() if isinstance(key, bytes)]


async def test_a_key_of_another_type_is_replaced(
    serving: Serving, upstream: WireUpstream, redis: RedisServer
) -> None:
    async with (
        serving(
            TOOL, upstream=upstream.url, rules=shared_limits(Rates(all="1/hour"), redis.url)
        ) as client,
        Redis.from_url(redis.url) as redis_client,
    ):
        await statuses(client, 1)
        (key,) = await _keys(redis)
        await redis_client.set(key, "mine")
        codes_after_text = await statuses(client, 2)
        await redis_client.delete(key)
        await redis_client.rpush(key, "mine")
        codes_after_list = await statuses(client, 2)
        seconds_left = await redis_client.ttl(key)

    assert codes_after_text == codes_after_list == [200, 429]
    assert 0 < seconds_left <= 3600


@pytest.mark.parametrize("fault", ["OutOfMemoryError", "ReadOnlyError"])
async def test_a_server_is_not_ready_while_redis_takes_no_writes(
    serving: Serving, upstream: WireUpstream, redis: RedisServer, fault: str
) -> None:
    async with (
        serving(
            TOOL, upstream=upstream.url, rules=shared_limits(Rates(all="9/hour"), redis.url)
        ) as client,
        Redis.from_url(redis.url) as redis_client,
    ):
        readiness_before = await client.http.get("/readyz")
        if fault == "OutOfMemoryError":
            await redis_client.config_set("maxmemory", "1")
        else:
            await redis_client.slaveof("127.0.0.1", free_port())
        readiness_during = await client.http.get("/readyz")
        status_codes = await statuses(client, 1)

    assert (readiness_before.status_code, readiness_during.status_code, status_codes) == (
        200,
        503,
        [503],
    )
    assert fault in readiness_during.json()["reasons"][0]


async def test_limits_in_redis_do_not_depend_on_the_clock_of_a_server(
    serving: Serving,
    upstream: WireUpstream,
    redis: RedisServer,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rules = shared_limits(Rates(all="2/minute"), redis.url)
    clock = time.time

    async with serving(TOOL, upstream=upstream.url, rules=rules) as client:
        monkeypatch.setattr("time.time", lambda: clock() + 3600)
        codes_with_clock_ahead = await statuses(client, 2)
        monkeypatch.setattr("time.time", lambda: clock() - 3600)
        response_with_clock_behind = await client.post(message("get"))
        monkeypatch.setattr("time.time", lambda: clock() + 7200)
        later_codes = await statuses(client, 1)

    assert (codes_with_clock_ahead, response_with_clock_behind.status_code, later_codes) == (
        [200, 200],
        429,
        [429],
    )
    assert 1 <= int(response_with_clock_behind.headers["retry-after"]) <= 60


async def test_calls_are_refused_while_redis_is_away_and_counted_when_it_is_back(
    serving: Serving, upstream: WireUpstream, redis: RedisServer, caplog: pytest.LogCaptureFixture
) -> None:
    rules = shared_limits(Rates(all="100/minute"), redis.url)

    async with serving(TOOL, upstream=upstream.url, rules=rules) as client:
        codes_before = await statuses(client, 1)
        redis.stop()
        codes_during_outage = await statuses(client, 3)
        redis.start()
        codes_after_outage = await statuses(client, 2)

    assert (codes_before, codes_during_outage, codes_after_outage) == (
        [200],
        [503, 503, 503],
        [200, 200],
    )
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
    rules = shared_limits(Rates(all="100/minute"), redis.url)

    try:
        async with serving(TOOL, upstream=upstream.url, rules=rules) as client:
            outage_response = await client.post(message("get"))
            redis.start()
            status_codes = await statuses(client, 1)
    finally:
        redis.stop()

    assert outage_response.status_code == 503
    assert outage_response.headers["retry-after"] == "1"
    assert outage_response.json()["error"]["code"] == -32603
    assert status_codes == [200]
    assert "calls are refused" in caplog.text


async def test_calls_go_through_uncounted_without_redis_if_that_is_chosen(
    serving: Serving, upstream: WireUpstream, caplog: pytest.LogCaptureFixture
) -> None:
    url = f"redis://127.0.0.1:{free_port()}"
    rules = shared_limits(Rates(all="1/minute"), url, open=True)

    async with serving(TOOL, upstream=upstream.url, rules=rules) as client:
        assert await statuses(client, 3) == [200, 200, 200]

    assert "let through uncounted" in caplog.text


async def test_a_redis_that_does_not_answer_in_time_is_as_good_as_none(
    serving: Serving, upstream: WireUpstream
) -> None:
    async def stay_silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    server = await asyncio.start_server(stay_silent, "127.0.0.1", 0)
    url = f"redis://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    async with (
        server,
        serving(
            TOOL, upstream=upstream.url, rules=shared_limits(Rates(all="1/minute"), url)
        ) as client,
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
    rules = shared_limits(Rates(all="1/minute"), f"redis://:hunter22@127.0.0.1:{free_port()}")

    async with serving(TOOL, upstream=upstream.url, rules=rules) as client:
        response = await client.post(message("get"))

    assert "hunter22" not in caplog.text + response.text
