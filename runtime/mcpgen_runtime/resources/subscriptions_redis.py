"""Relays resource changes between all processes and machines of a server, by Redis
publish/subscribe."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from secrets import token_hex
from typing import Any

from redis.asyncio import Redis
from redis.exceptions import RedisError

from ..limits.redis_client import RedisSettings, reaching, redis_client
from ..server.request_states import StoreUnavailable

PAUSE_SECONDS = 1.0
"""Pause in seconds after a failure of Redis."""

QUIET_SECONDS = 5.0
"""Seconds without a message after which Redis is pinged."""

logger = logging.getLogger(__name__)


class RedisRelay:
    """One Redis channel. Ignores the messages of this process."""

    def __init__(self, redis: Redis, channel: str) -> None:
        self._redis = redis
        self._channel = channel
        self._own = token_hex(8)
        self._is_connected = True

    async def publish(self, text: str) -> None:
        """Sends a text to all other processes. While Redis fails, texts are dropped; the failure is
        logged."""
        if not self._is_connected:
            return
        try:
            async with reaching():
                await self._redis.publish(self._channel, f"{self._own} {text}")
        except StoreUnavailable as fault:
            self._log_connection(False, str(fault))

    async def listen(
        self, on_text: Callable[[str], Awaitable[None]], on_outage: Callable[[], Awaitable[None]]
    ) -> None:
        """Passes texts of other processes to `on_text` until cancelled. Calls `on_outage` when
        Redis is back after a failure: texts in between are lost."""
        while True:
            try:
                async with self._redis.pubsub() as channel:
                    async with reaching():
                        await channel.subscribe(self._channel)
                    if not self._is_connected:
                        self._log_connection(True)
                        await on_outage()
                    await self._receive(channel, on_text)
            except (StoreUnavailable, RedisError, OSError) as fault:
                self._log_connection(
                    False,
                    str(fault) if isinstance(fault, StoreUnavailable) else type(fault).__name__,
                )
            await asyncio.sleep(PAUSE_SECONDS)

    async def _receive(self, channel: Any, on_text: Callable[[str], Awaitable[None]]) -> None:
        """Receives texts until Redis fails."""
        is_pinged = False
        while True:
            message = await channel.get_message(timeout=QUIET_SECONDS)
            if message is None:
                if is_pinged:
                    raise StoreUnavailable("no answer")
                async with reaching():
                    await channel.ping()
            is_pinged = message is None
            if message and message["type"] == "message":
                sender, _, text = message["data"].decode("utf-8", "replace").partition(" ")
                if sender != self._own:
                    await on_text(text)

    async def close(self) -> None:
        """Closes the connections."""
        await self._redis.aclose()

    def _log_connection(self, is_connected: bool, fault: str = "") -> None:
        if is_connected == self._is_connected:
            return
        self._is_connected = is_connected
        if is_connected:
            logger.warning("Redis is back; clients are told of changes in other processes again")
        else:
            logger.error(
                "Redis fails (%s): clients are told of changes in this process alone", fault
            )


def redis_relay(settings: RedisSettings) -> RedisRelay | None:
    """The configured relay, None for `memory://`. Raises `ValueError` if no store is configured."""
    redis = redis_client(settings)
    return RedisRelay(redis, f"mcp:{settings.variable('')}:changes") if redis else None
