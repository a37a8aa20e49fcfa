"""The connection to Redis, or Valkey, where processes and machines share state."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

from pydantic import SecretStr, field_validator
from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from ..server.request_states import StoreUnavailable
from ..settings import ServerSettings

STORE_SECONDS = 1.0
"""Timeout of Redis, in seconds."""

CONNECTIONS = 50
"""Maximum connections of one Redis client; further calls wait for a connection."""

IN_MEMORY = "memory://"
"""The URL for state in the memory of each process, for tests and trials."""

_SCHEMES = ("redis", "rediss")


class RedisSettings(ServerSettings):
    """The URL of Redis."""

    limit_store: SecretStr | None = None
    """The URL of Redis, `rediss://` for TLS; `memory://` keeps state in each process separately."""

    @field_validator("limit_store")
    @classmethod
    def _check_store(cls, secret: SecretStr | None) -> SecretStr | None:
        url = secret.get_secret_value() if secret else IN_MEMORY
        parts = urlsplit(url)
        if url != IN_MEMORY and (parts.scheme not in _SCHEMES or not parts.hostname):
            raise ValueError("must be a URL that begins with redis:// or rediss://, or memory://")
        return secret


def redis_client(settings: RedisSettings) -> Redis | None:
    """A Redis client that connects on first use, None for `memory://`. Raises `ValueError` without
    a URL: processes with separate state would allow more than the project's limits."""
    if settings.limit_store is None:
        variable = settings.variable("limit_store")
        raise ValueError(
            f"{variable} is not set: this server keeps its state in Redis, for all processes together; set"
            " it to the URL of Redis, such as redis://localhost:6379/0, or to memory:// to try the server"
            " out"
        )
    url = settings.limit_store.get_secret_value()
    if url == IN_MEMORY:
        return None
    pool = BlockingConnectionPool.from_url(
        url,
        max_connections=CONNECTIONS,
        timeout=STORE_SECONDS,
        socket_connect_timeout=STORE_SECONDS,
        socket_timeout=STORE_SECONDS,
        retry=Retry(NoBackoff(), 0),
    )
    return Redis.from_pool(pool)


@asynccontextmanager
async def reaching() -> AsyncIterator[None]:
    """Limits Redis commands to `STORE_SECONDS`. Raises `StoreUnavailable` if Redis fails or is too
    slow."""
    try:
        async with asyncio.timeout(STORE_SECONDS):
            yield
    except (RedisError, OSError, TimeoutError) as fault:
        # The error text may contain an address, so only the class name is kept, such as
        # `OutOfMemoryError`.
        raise StoreUnavailable(type(fault).__name__) from fault
