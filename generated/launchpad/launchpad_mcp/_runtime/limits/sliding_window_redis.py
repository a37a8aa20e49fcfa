# Copied by mcpgen from mcpgen-runtime; changes belong in hooks.py or mcpgen.toml.
"""Sliding windows in Redis, for many processes and machines.

A Lua script checks and counts atomically, so two servers can never both take the last place. Times
come from the clock of Redis. The library `limits` sends the clock of the calling machine; a machine
with a wrong clock would open or lock the windows of all machines.
"""

from __future__ import annotations

from limits import RateLimitItem
from redis.asyncio import Redis

from ..server.request_states import StoreUnavailable
from .redis_client import RedisSettings, reaching, redis_client
from .sliding_window import CallCounter, SlidingWindows

_TAKE = """
local kind = redis.call('TYPE', KEYS[1]).ok
if kind ~= 'list' and kind ~= 'none' then
    redis.call('DEL', KEYS[1])
end
local time = redis.call('TIME')
local now = time[1] + time[2] / 1000000
local amount, window = tonumber(ARGV[1]), tonumber(ARGV[2])
local oldest = tonumber(redis.call('LINDEX', KEYS[1], amount - 1) or 0)
if not oldest then
    redis.call('DEL', KEYS[1])
elseif oldest >= now - window then
    local left = redis.call('TTL', KEYS[1])
    if left < 0 or left > window then
        redis.call('EXPIRE', KEYS[1], window)
    end
    return math.min(math.max(1, math.ceil(oldest + window - now)), window)
end
redis.call('LPUSH', KEYS[1], string.format('%.6f', now))
redis.call('LTRIM', KEYS[1], 0, amount - 1)
redis.call('EXPIRE', KEYS[1], window)
return 0
"""
"""Counts a call within a rate and returns 0, or returns the seconds to wait. Replaces a key of
another type or with invalid values, which would refuse calls for ever. Shortens an expiry beyond
the window, written before the clock of Redis was set back."""

_TRY = "redis.call('SET', KEYS[1], '1', 'EX', 60) return redis.call('DEL', KEYS[1])"
"""Tests writing: a full Redis or a replica still answers PING."""


class RedisSlidingWindows:
    """Sliding windows shared by all servers of one Redis."""

    alone = False

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._take = redis.register_script(_TAKE)
        self._try = redis.register_script(_TRY)

    async def take(self, rate: RateLimitItem, *key: str) -> int:
        """Counts a call if the call is within the rate, and returns 0; otherwise returns the seconds
        to wait. Raises `StoreUnavailable`."""
        async with reaching():
            name = f"mcp:{rate.key_for(*key)}"
            return int(await self._take([name], [rate.amount, rate.get_expiry()]))

    async def failure(self) -> str:
        """The reason why calls cannot be counted, `""` if they can."""
        try:
            async with reaching():
                await self._try(["mcp:ready"])
        except StoreUnavailable as fault:
            return str(fault)
        return ""

    async def close(self) -> None:
        """Closes the connections."""
        await self._redis.aclose()


def redis_windows(settings: RedisSettings) -> CallCounter:
    """The configured store. Raises `ValueError` if no store is configured."""
    redis = redis_client(settings)
    return RedisSlidingWindows(redis) if redis else SlidingWindows()
