"""How often a user of the hosted service may call."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from redis import Redis
from tests.examples.launchpad.conftest import Launch, holding
from tests.examples.service import Service
from tests.redis_server import RedisServer, redis_server

CALL = {"name": "events_list", "arguments": {"limit": 1}}


def test_ten_calls_a_minute_are_taken_and_the_next_is_refused(api: Service, launch: Launch) -> None:
    with launch.server() as front:
        bob = holding(front, "bob")
        taken = [bob.post("tools/call", **CALL) for _ in range(10)]
        reached = len(api.requests)
        refused = bob.post("tools/call", **CALL)

    assert [each.status_code for each in taken] == [200] * 10
    assert refused.status_code == 429
    assert refused.headers["x-ratelimit-limit"] == "10"
    assert refused.headers["x-ratelimit-window"] == "60"
    assert 1 <= int(refused.headers["retry-after"]) <= 60
    told = refused.json()
    assert (told["jsonrpc"], told["id"], told["error"]["code"]) == ("2.0", 1, -32002)
    assert told["error"]["message"].startswith("Rate limit exceeded")
    assert len(api.requests) == reached


def test_what_one_user_has_used_up_is_there_for_another(launch: Launch) -> None:
    with launch.server() as front:
        bob, eve = holding(front, "bob"), holding(front, "eve")
        statuses = [bob.post("tools/call", **CALL).status_code for _ in range(11)]

        assert statuses[-1] == 429
        assert eve.told("events_list", limit=1)


def test_only_calls_count(launch: Launch) -> None:
    with launch.server() as front:
        bob = holding(front, "bob")

        statuses = {bob.post("tools/list").status_code for _ in range(12)}

        assert statuses == {200}
        assert bob.told("events_list", limit=1)


def test_whoever_is_not_let_in_uses_nothing_up(launch: Launch) -> None:
    with launch.server() as front:
        statuses = [front.post("tools/call", **CALL).status_code for _ in range(12)]

        assert set(statuses) == {401}
        assert holding(front, "bob").told("events_list", limit=1)


@pytest.fixture
def redis() -> Iterator[RedisServer]:
    """Where an operator keeps the counts."""
    with redis_server() as running:
        yield running


def test_counts_outlive_the_server_and_end_by_themselves(
    launch: Launch, redis: RedisServer
) -> None:
    with launch.server(limit_store=redis.url) as front:
        taken = [holding(front, "bob").post("tools/call", **CALL) for _ in range(10)]
    with launch.server(limit_store=redis.url) as front:
        refused = holding(front, "bob").post("tools/call", **CALL)

    assert {each.status_code for each in taken} == {200}
    assert refused.status_code == 429
    with Redis.from_url(redis.url) as store:
        (key,) = store.keys()
        assert 0 < store.pttl(key) <= 60_000
