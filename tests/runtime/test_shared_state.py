"""State that several processes share in a real Redis: used confirmations, circuits, changes of
resources."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator
from contextlib import AsyncExitStack
from typing import Any

import pytest
from mcp import Client
from mcp.client.subscriptions import ResourceUpdated
from pydantic import SecretStr
from redis.asyncio import Redis
from tests.redis_server import RedisServer, redis_server
from tests.runtime.conftest import Serving, WireUpstream
from tests.runtime.resource_server import all_features, pets, serve_shop
from tests.runtime.test_confirm import YES
from tests.runtime.test_elicitation import ORDER, message, post_message, start_elicitation

from mcpgen.conformance.targets.command import free_port
from mcpgen_runtime.elicitation.confirm import Confirmation, ConfirmSettings
from mcpgen_runtime.elicitation.request_states_redis import redis_states
from mcpgen_runtime.limits import redis_client
from mcpgen_runtime.limits.circuit_breaker import CircuitBreaker, CircuitBreakerSettings
from mcpgen_runtime.limits.circuit_breaker_redis import RedisCircuits, redis_circuits
from mcpgen_runtime.limits.redis_client import RedisSettings
from mcpgen_runtime.resources.subscriptions_redis import redis_relay
from mcpgen_runtime.server.request_states import MAX_USED_STATES, StatesInMemory
from mcpgen_runtime.tool import Hints, Route, Tool

pytestmark = pytest.mark.anyio

KEY = SecretStr("k" * 32)
GET = Tool("get", "Get", "", Route("GET", "/it"), Hints(True, False, True))
DOWN = b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n"


@pytest.fixture(scope="module")
def running() -> Iterator[RedisServer]:
    """Redis."""
    with redis_server() as server:
        yield server


@pytest.fixture
async def redis(running: RedisServer, monkeypatch: pytest.MonkeyPatch) -> RedisServer:
    """Empty Redis, with a time-out of 60 s so that a busy machine does not count as an outage."""
    monkeypatch.setattr(redis_client, "STORE_SECONDS", 60.0)
    async with Redis.from_url(running.url) as client:
        await client.flushall()
    return running


def redis_settings(url: str) -> RedisSettings:
    """Returns settings with the state at this URL."""
    return RedisSettings(limit_store=SecretStr(url))


def confirming(url: str) -> Confirmation:
    """Returns the confirmation rule of one of several instances."""
    settings = ConfirmSettings(several_instances=True, state_key=KEY)
    return Confirmation(settings, ("order",), redis_states(redis_settings(url)))


async def test_a_confirmation_makes_one_call_at_three_instances(
    serving: Serving, upstream: WireUpstream, redis: RedisServer
) -> None:
    async with AsyncExitStack() as stack:
        clients = [
            await stack.enter_async_context(
                serving(ORDER, upstream=upstream.url, rules=[confirming(redis.url)], state_key=KEY)
            )
            for _ in range(3)
        ]
        key, state = await start_elicitation(clients[0])
        retry = message(inputResponses={key: YES}, requestState=state)
        answers = await asyncio.gather(*(post_message(client, retry) for client in clients * 4))

    assert len(upstream.requests) == 1
    assert sum("result" in answer for answer in answers) == 1
    error_messages = {answer["error"]["message"] for answer in answers if "error" in answer}
    assert error_messages == {"This requestState was answered before"}


async def test_a_confirmation_is_refused_while_nobody_can_tell_whether_it_was_used(
    serving: Serving, upstream: WireUpstream
) -> None:
    rules = [confirming(f"redis://127.0.0.1:{free_port()}")]

    async with serving(ORDER, upstream=upstream.url, rules=rules) as client:
        key, state = await start_elicitation(client)
        answer = await post_message(client, message(inputResponses={key: YES}, requestState=state))

    assert "try again later" in answer["error"]["message"]
    assert upstream.requests == []


@pytest.mark.parametrize(
    ("process_settings", "cause"),
    [
        ({"workers": 2}, "WORKERS is 2"),
        ({"several_instances": True, "state_key": KEY}, "SEVERAL_INSTANCES is true"),
        ({"state_key": KEY}, "STATE_KEY is set"),
    ],
)
@pytest.mark.parametrize("states", [None, StatesInMemory()])
def test_confirmations_of_several_processes_without_redis_are_refused_at_the_start(
    process_settings: dict[str, Any], cause: str, states: StatesInMemory | None
) -> None:
    settings = ConfirmSettings(**process_settings)

    with pytest.raises(ValueError, match=f'{cause}: each process .* `limits.store = "redis"`'):
        Confirmation(settings, ("order",), states)

    Confirmation(ConfirmSettings(confirm_calls=False, **process_settings), ("order",), states)


async def test_a_used_state_stays_used_when_a_clock_is_set_back(
    monkeypatch: pytest.MonkeyPatch, redis: RedisServer
) -> None:
    states, other_states = redis_states(redis_settings(redis.url)), redis_states(
        redis_settings(redis.url)
    )
    now = time.time()

    first_use = await states.use(b"mark", 300)
    monkeypatch.setattr("time.time", lambda: now - 3600)
    later_uses = [
        await request_states.use(b"mark", 300) for request_states in (states, other_states)
    ]
    async with Redis.from_url(redis.url) as client:
        (seconds_left,) = [await client.ttl(key) for key in await client.keys()]

    assert (first_use, later_uses) == (True, [False, False])
    assert seconds_left > 80_000
    await states.close()
    await other_states.close()


async def test_a_process_forgets_the_oldest_state_when_it_has_too_many() -> None:
    states = StatesInMemory()

    for number in range(MAX_USED_STATES + 1):
        await states.use(number.to_bytes(4, "big"), 300)

    assert not await states.use(b"\0\0\0\2", 300)
    assert await states.use(b"\0\0\0\0", 300)


def breaker(url: str, seconds: float = 3600) -> CircuitBreaker:
    """Returns the circuit breaker of one process."""
    share = redis_circuits(redis_settings(url))
    return CircuitBreaker(CircuitBreakerSettings(), failures=4, seconds=seconds, share=share)


async def test_failures_at_all_processes_open_one_circuit(
    serving: Serving, upstream: WireUpstream, redis: RedisServer
) -> None:
    upstream.answer = lambda _: DOWN

    async with (
        serving(GET, upstream=upstream.url, rules=[breaker(redis.url)]) as first,
        serving(GET, upstream=upstream.url, rules=[breaker(redis.url)]) as second,
    ):
        messages = [
            await client.error("get") for client in (first, second, first, second, first, second)
        ]

    assert len(upstream.requests) == 4
    assert all("has failed 4 times in a row and is not asked now" in name for name in messages[4:])


async def test_one_process_probes_and_its_answer_closes_the_circuit_for_all(
    redis: RedisServer,
) -> None:
    share = redis_circuits(redis_settings(redis.url))
    first, second = share(1, 0.001), redis_circuits(redis_settings(redis.url))(1, 0.001)

    await first.record_failure("api")
    await asyncio.sleep(0.01)
    probe, waits = await second.enter("api"), await first.enter("api")
    before = await second.record_success("api")
    await second.end_probe("api")
    after = await first.enter("api")

    assert (probe.is_probe, probe.wait_seconds, waits.is_probe) == (True, 0, False)
    assert waits.wait_seconds >= 1
    assert (before, after.wait_seconds, after.is_probe) == (1, 0, False)
    await first.close_connections()
    await second.close_connections()


async def test_a_key_of_another_type_is_replaced_by_a_circuit(redis: RedisServer) -> None:
    circuits = redis_circuits(redis_settings(redis.url))(2, 60)
    await circuits.record_failure("api")
    async with Redis.from_url(redis.url) as client:
        (key,) = await client.keys()
        await client.set(key, "mine")

    passage = await circuits.enter("api")
    failures = await circuits.record_failure("api")

    assert isinstance(circuits, RedisCircuits)
    assert (passage.wait_seconds, failures) == (0, 1)
    await circuits.close_connections()


async def test_a_process_goes_by_its_own_failures_while_redis_is_away(
    serving: Serving, upstream: WireUpstream, caplog: pytest.LogCaptureFixture
) -> None:
    upstream.answer = lambda _: DOWN

    rules = [breaker(f"redis://127.0.0.1:{free_port()}")]
    async with serving(GET, upstream=upstream.url, rules=rules) as client:
        messages = [await client.error("get") for _ in range(5)]

    assert len(upstream.requests) == 4
    assert "is not asked now" in messages[4]
    assert sum("Redis fails" in record.getMessage() for record in caplog.records) == 1


async def test_clients_are_told_of_changes_in_other_processes(
    upstream: WireUpstream, redis: RedisServer
) -> None:
    upstream.answer = pets
    relays = [redis_relay(redis_settings(redis.url)) for _ in range(2)]
    first_features, second_features = (
        all_features(is_alone=False, relay=relay) for relay in relays
    )

    async with (
        serve_shop(upstream.url, first_features) as first_url,
        serve_shop(upstream.url, second_features) as second_url,
        Client(first_url) as listener,
        Client(second_url) as writer,
        Redis.from_url(redis.url) as client,
        listener.listen(resource_subscriptions=["shop://pets/7"]) as subscription,
        asyncio.timeout(120),
    ):
        while (await client.pubsub_numsub("mcp::changes"))[0][1] < 2:
            await asyncio.sleep(0.01)
        await writer.call_tool("update_pet", {"petId": 7, "name": "Rex"})
        assert await anext(subscription) == ResourceUpdated("shop://pets/7")
        await client.publish("mcp::changes", b"other [1, \xff")
        assert await anext(subscription) == ResourceUpdated("shop://pets/7")


async def test_clients_are_told_of_all_resources_when_changes_may_have_been_missed(
    upstream: WireUpstream, redis: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mcpgen_runtime.resources.subscriptions_redis.PAUSE_SECONDS", 0.01)
    upstream.answer = pets
    offers = all_features(is_alone=False, relay=redis_relay(redis_settings(redis.url)))

    async with (
        serve_shop(upstream.url, offers) as url,
        Client(url) as listener,
        Redis.from_url(redis.url) as client,
        listener.listen(resource_subscriptions=["shop://pets/7"]) as subscription,
        asyncio.timeout(120),
    ):
        while (await client.pubsub_numsub("mcp::changes"))[0][1] < 1:
            await asyncio.sleep(0.01)
        await client.client_kill_filter(_type="pubsub")
        assert await anext(subscription) == ResourceUpdated("shop://pets/7")


async def test_a_text_of_a_process_does_not_come_back_to_it(redis: RedisServer) -> None:
    first_relay, second_relay = redis_relay(redis_settings(redis.url)), redis_relay(
        redis_settings(redis.url)
    )
    assert first_relay
    assert second_relay
    queue: asyncio.Queue[str] = asyncio.Queue()

    async def fail_on_loss() -> None:
        raise AssertionError

    listen_task = asyncio.create_task(first_relay.listen(queue.put, fail_on_loss))
    async with Redis.from_url(redis.url) as client, asyncio.timeout(120):
        while (await client.pubsub_numsub("mcp::changes"))[0][1] < 1:
            await asyncio.sleep(0.01)
        await first_relay.publish(json.dumps("own"))
        await second_relay.publish(json.dumps("other"))
        text = await queue.get()
    listen_task.cancel()
    await asyncio.wait([listen_task])
    await first_relay.close()
    await second_relay.close()

    assert text == '"other"'
    assert queue.empty()


def test_state_in_memory_is_that_of_the_process() -> None:
    assert isinstance(redis_states(redis_settings("memory://")), StatesInMemory)
    assert redis_relay(redis_settings("memory://")) is None
