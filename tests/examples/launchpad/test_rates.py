"""Rate limits for users of the hosted service."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from uuid import uuid4

import pytest
from redis import Redis
from tests.examples.launchpad.conftest import PUBLIC, SCOPE, LaunchpadLauncher, with_key_of
from tests.examples.local_api import LocalApi
from tests.examples.project_process import ServerEndpoint
from tests.redis_server import RedisServer, redis_server
from tests.runtime.issuer import JwtIssuer

CALL = {"name": "events_list", "arguments": {"limit": 1}}


@pytest.fixture(scope="module")
def counting(launch: LaunchpadLauncher) -> Iterator[ServerEndpoint]:
    """A server with rate limits."""
    with launch.server() as front:
        yield front


Users = Iterator[ServerEndpoint]
"""The server as users reach it who have called nothing yet, one after the other."""


@pytest.fixture
def users(counting: ServerEndpoint, login: JwtIssuer) -> Users:
    """Users without calls of other tests."""
    tokens = (login.token(aud=PUBLIC, scope=SCOPE, sub=f"user-{uuid4()}") for _ in count())
    return (counting.showing(Authorization=f"Bearer {token}") for token in tokens)


def test_ten_calls_a_minute_are_taken_and_the_next_is_refused(api: LocalApi, users: Users) -> None:
    user = next(users)

    responses = [user.post("tools/call", **CALL) for _ in range(10)]
    request_count = len(api.requests)
    refusal = user.post("tools/call", **CALL)

    assert [response.status_code for response in responses] == [200] * 10
    assert refusal.status_code == 429
    assert refusal.headers["x-ratelimit-limit"] == "10"
    assert refusal.headers["x-ratelimit-window"] == "60"
    assert 1 <= int(refusal.headers["retry-after"]) <= 60
    content = refusal.json()
    assert (content["jsonrpc"], content["id"], content["error"]["code"]) == ("2.0", 1, -32002)
    assert content["error"]["message"].startswith("Rate limit exceeded")
    assert len(api.requests) == request_count


def test_what_one_user_has_used_up_is_there_for_another(users: Users) -> None:
    server_endpoint, other_endpoint = next(users), next(users)

    statuses = [server_endpoint.post("tools/call", **CALL).status_code for _ in range(11)]

    assert statuses[-1] == 429
    assert isinstance(other_endpoint.call_json("events_list", limit=1), list)


def test_only_calls_count(users: Users) -> None:
    user = next(users)

    statuses = {user.post("tools/list").status_code for _ in range(12)}

    assert statuses == {200}
    assert isinstance(user.call_json("events_list", limit=1), list)


def test_whoever_is_not_let_in_uses_nothing_up(counting: ServerEndpoint, users: Users) -> None:
    statuses = [counting.post("tools/call", **CALL).status_code for _ in range(12)]

    assert set(statuses) == {401}
    assert isinstance(next(users).call_json("events_list", limit=1), list)


@pytest.fixture
def redis() -> Iterator[RedisServer]:
    """The Redis server that stores the counts."""
    with redis_server() as running:
        yield running


def test_counts_outlive_the_server_and_end_by_themselves(
    launch: LaunchpadLauncher, redis: RedisServer
) -> None:
    with launch.server(limit_store=redis.url) as front:
        responses = [with_key_of(front, "bob").post("tools/call", **CALL) for _ in range(10)]
    with launch.server(limit_store=redis.url) as front:
        refusal = with_key_of(front, "bob").post("tools/call", **CALL)

    assert {response.status_code for response in responses} == {200}
    assert refusal.status_code == 429
    with Redis.from_url(redis.url) as store:
        (key,) = store.keys()
        assert 0 < store.pttl(key) <= 60_000
