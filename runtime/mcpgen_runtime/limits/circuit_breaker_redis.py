"""Circuits in Redis, shared by all processes and machines; a single process probes an API that is
down."""

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

QUIET_SECONDS = 3600
"""Seconds without a success or failure after which failures in a row are forgotten."""

logger = logging.getLogger(__name__)

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
"""Returns: 1 for a probe, the number of failures, the milliseconds to wait."""

_FAILED = """
local failures = redis.call('HINCRBY', KEYS[1], 'failures', 1)
if failures >= tonumber(ARGV[1]) then
    local time = redis.call('TIME')
    redis.call('HSET', KEYS[1], 'until', time[1] * 1000 + math.floor(time[2] / 1000) + ARGV[2])
end
redis.call('EXPIRE', KEYS[1], ARGV[3])
return failures
"""

_SUCCEEDED = """
local failures = redis.call('HGET', KEYS[1], 'failures')
redis.call('DEL', KEYS[1])
return tonumber(failures or 0)
"""

_END_PROBE = "return redis.call('HDEL', KEYS[1], 'probe')"


class RedisCircuits:
    """Circuits shared by all processes. While Redis fails, each process uses its own circuits, so
    no call is refused because of Redis. A probe expires after `lease` seconds, in case the process
    has died."""

    def __init__(
        self, redis: Redis, lease: float, server: str, max_failures: int, seconds: float
    ) -> None:
        self._redis = redis
        self._local = CircuitsInMemory(max_failures, seconds)
        self._server, self._max_failures = server, max_failures
        self._open, self._lease = ceil(seconds * 1000), ceil(lease * 1000)
        self._ttl = ceil(seconds + lease) + QUIET_SECONDS
        self._scripts = {
            text: redis.register_script(text) for text in (_ENTER, _FAILED, _SUCCEEDED, _END_PROBE)
        }
        self._is_reachable = True

    async def enter(self, origin: str) -> CircuitDecision:
        """Asks for permission to send a request."""
        try:
            probe, failures, remaining = await self._run(
                _ENTER, origin, self._max_failures, self._lease
            )
        except StoreUnavailable:
            return await self._local.enter(origin)
        return CircuitDecision(remaining and max(1, remaining / 1000), failures, bool(probe))

    async def record_failure(self, origin: str) -> int:
        """Counts a failure; returns the failures in a row."""
        local_failures = await self._local.record_failure(origin)
        try:
            return int(await self._run(_FAILED, origin, self._max_failures, self._open, self._ttl))
        except StoreUnavailable:
            return local_failures

    async def record_success(self, origin: str) -> int:
        """Closes the circuit; returns the earlier failures in a row."""
        local_failures = await self._local.record_success(origin)
        try:
            return int(await self._run(_SUCCEEDED, origin))
        except StoreUnavailable:
            return local_failures

    async def end_probe(self, origin: str) -> None:
        """Ends a probe."""
        await self._local.end_probe(origin)
        with suppress(StoreUnavailable):
            await self._run(_END_PROBE, origin)

    async def close(self) -> None:
        """Closes the connections."""
        await self._redis.aclose()

    async def _run(self, script: str, origin: str, *values: int) -> Any:
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
    """The factory of circuits for the configured store. Raises `ValueError` if no store is
    configured."""
    redis = redis_client(settings)
    if redis is None:
        return CircuitsInMemory
    lease = settings.timeout_seconds + 1
    return partial(RedisCircuits, redis, lease, settings.variable(""))
