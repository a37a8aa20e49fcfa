"""Remembers in Redis which states of calls came back: each is taken once by all processes and machines."""

from __future__ import annotations

from math import ceil

from redis.asyncio import Redis

from ..limits.redis_client import RedisSettings, reaching, redis_client
from ..server.request_states import CLOCK_SECONDS, RequestStates, StatesInMemory


class RedisStates:
    """The states that any process has taken."""

    alone = False

    def __init__(self, redis: Redis) -> None:
        self._redis = redis

    async def use(self, mark: bytes, seconds: float) -> bool:
        """True the first time, False if the state of this digest was used before. Raises
        `StoreUnavailable`."""
        key, end = f"mcp:used-state/{mark.hex()}", ceil(seconds) + CLOCK_SECONDS
        async with reaching():
            return bool(await self._redis.set(key, "1", nx=True, ex=end))

    async def close(self) -> None:
        """Closes the connections."""
        await self._redis.aclose()


def redis_states(settings: RedisSettings) -> RequestStates:
    """The memory that the settings name. Raises `ValueError` if they name none."""
    redis = redis_client(settings)
    return RedisStates(redis) if redis else StatesInMemory()
