"""Records used request states in Redis, so that each state is accepted once by all processes and
machines."""

from __future__ import annotations

from math import ceil

from redis.asyncio import Redis

from ..limits.redis_client import RedisSettings, reaching, redis_client
from ..server.request_states import CLOCK_SECONDS, RequestStates, StatesInMemory


class RedisStates:
    """Request states used in any process."""

    alone = False

    def __init__(self, redis: Redis) -> None:
        self._redis = redis

    async def use(self, mark: bytes, seconds: float) -> bool:
        """True for the first use of the state with this digest, False afterwards. Raises
        `StoreUnavailable`."""
        key, end = f"mcp:used-state/{mark.hex()}", ceil(seconds) + CLOCK_SECONDS
        async with reaching():
            return bool(await self._redis.set(key, "1", nx=True, ex=end))

    async def close(self) -> None:
        """Closes the connections."""
        await self._redis.aclose()


def redis_states(settings: RedisSettings) -> RequestStates:
    """The configured store. Raises `ValueError` if no store is configured."""
    redis = redis_client(settings)
    return RedisStates(redis) if redis else StatesInMemory()
