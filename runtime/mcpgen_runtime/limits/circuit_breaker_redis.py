"""Circuits in Redis, shared by all processes and machines: one process at a time sends a probe request to
an API that is down.

The circuit of an origin is a Redis hash: `failures` in a row, `until`, the end of the time without requests, and
`probe`, the end of the lease of a probe. The times are Unix times of Redis in milliseconds. A script runs in Redis
without another command in between.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from hashlib import sha256
from math import ceil
from typing import Any

from redis.asyncio import Redis

from ..server.request_states import StoreUnavailable
from .circuit_breaker import CircuitDecision, Circuits, CircuitsInMemory
from .redis_client import RedisSettings, reaching, redis_client

FORGET_SECONDS = 3600
"""Seconds after which Redis forgets the failures of an origin that has no further failure, in addition
to the open time of the circuit and the lease of a probe. A success resets the failures at once."""

logger = logging.getLogger(__name__)

# The key may have another type, written by another program; each command would fail then.
_ENTER = """
local kind = redis.call('TYPE', KEYS[1]).ok
if kind ~= 'hash' and kind ~= 'none' then
    redis.call('DEL', KEYS[1])
end
local circuit = redis.call('HMGET', KEYS[1], 'failures', 'until', 'probe')
local failures = tonumber(circuit[1] or 0)
if failures < tonumber(ARGV[1]) then
    return {0, failures, 0}
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local left = math.max(tonumber(circuit[2] or 0), tonumber(circuit[3] or 0)) - now
if left > 0 then
    return {0, failures, left}
end
redis.call('HSET', KEYS[1], 'probe', now + ARGV[2])
return {1, failures, 0}
"""
"""ARGV: failures that open the circuit, lease of a probe in ms. Returns: 1 for a probe, the failures in
a row, the milliseconds to wait."""

_RECORD_FAILURE = """
local failures = redis.call('HINCRBY', KEYS[1], 'failures', 1)
if failures >= tonumber(ARGV[1]) then
    local time = redis.call('TIME')
    redis.call('HSET', KEYS[1], 'until', time[1] * 1000 + math.floor(time[2] / 1000) + ARGV[2])
end
redis.call('EXPIRE', KEYS[1], ARGV[3])
return failures
"""
"""ARGV: failures that open the circuit, open time in ms, seconds until the failures are forgotten.
Returns the failures in a row."""

_RECORD_SUCCESS = """
local failures = redis.call('HGET', KEYS[1], 'failures')
redis.call('DEL', KEYS[1])
return tonumber(failures or 0)
"""
"""Returns the failures in a row before the success."""

_END_PROBE = "return redis.call('HDEL', KEYS[1], 'probe')"


class RedisCircuits:
    """Circuits shared by all processes. While Redis fails, each process uses its own circuits, so
    no call is refused because of Redis.

    `lease_seconds`: another process may probe after this time, if the process with the probe has died.
    `server` separates the keys of servers that share a Redis. A circuit opens after `max_failures`
    failures in a row, for `seconds`.
    """

    def __init__(
        self, redis: Redis, lease_seconds: float, server: str, max_failures: int, seconds: float
    ) -> None:
        self._redis = redis
        self._local = CircuitsInMemory(max_failures, seconds)
        self._server, self._max_failures = server, max_failures
        self._open_ms, self._lease_ms = ceil(seconds * 1000), ceil(lease_seconds * 1000)
        self._ttl_seconds = ceil(seconds + lease_seconds) + FORGET_SECONDS
        scripts = (_ENTER, _RECORD_FAILURE, _RECORD_SUCCESS, _END_PROBE)
        self._scripts = {text: redis.register_script(text) for text in scripts}
        self._is_reachable = True

    async def enter(self, origin: str) -> CircuitDecision:
        """Decides whether a request may be sent."""
        try:
            is_probe, failures, wait_ms = await self._run(
                _ENTER, origin, self._max_failures, self._lease_ms
            )
        except StoreUnavailable:
            return await self._local.enter(origin)
        return CircuitDecision(wait_ms and max(1, wait_ms / 1000), failures, bool(is_probe))

    async def record_failure(self, origin: str) -> int:
        """Counts a failure; returns the failures in a row."""
        # The circuits of this process count, too, so that the count is right if Redis fails later.
        local_failures = await self._local.record_failure(origin)
        values = (self._max_failures, self._open_ms, self._ttl_seconds)
        try:
            return int(await self._run(_RECORD_FAILURE, origin, *values))
        except StoreUnavailable:
            return local_failures

    async def record_success(self, origin: str) -> int:
        """Closes the circuit; returns the earlier failures in a row."""
        local_failures = await self._local.record_success(origin)
        try:
            return int(await self._run(_RECORD_SUCCESS, origin))
        except StoreUnavailable:
            return local_failures

    async def end_probe(self, origin: str) -> None:
        """Ends a probe."""
        await self._local.end_probe(origin)
        with suppress(StoreUnavailable):
            await self._run(_END_PROBE, origin)

    async def close_connections(self) -> None:
        """Closes the connections."""
        await self._redis.aclose()

    async def _run(self, script: str, origin: str, *values: int) -> Any:
        """Runs a script for the circuit of an origin. Logs a failure of Redis once, until Redis answers
        again. Raises `StoreUnavailable`."""
        key = f"mcp:{self._server}:circuit/{sha256(origin.encode()).hexdigest()[:24]}"
        try:
            async with reaching():
                reply = await self._scripts[script]([key], values)
        except StoreUnavailable as fault:
            if self._is_reachable:
                logger.error(
                    "Redis fails (%s): this process alone counts failures of the API", fault
                )
            self._is_reachable = False
            raise
        self._is_reachable = True
        return reply


def redis_circuits(settings: RedisSettings) -> Callable[[int, float], Circuits]:
    """The factory of circuits in the configured Redis, or in memory for the store `memory://`; the
    factory takes the failures that open a circuit, and the open time in seconds. Raises `ValueError`
    if no store is configured."""
    redis = redis_client(settings)
    if redis is None:
        return CircuitsInMemory
    # Without redirects, a probe ends within the timeout of a request.
    lease_seconds = settings.timeout_seconds + 1
    # The prefix of the environment variables names the server.
    return partial(RedisCircuits, redis, lease_seconds, settings.variable(""))
