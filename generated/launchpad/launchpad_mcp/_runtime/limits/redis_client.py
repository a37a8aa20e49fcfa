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
"""How long Redis may take to answer."""

CONNECTIONS = 50
"""How many connections one client of Redis opens at most; further calls wait for a connection."""

IN_MEMORY = "memory://"
"""The address that stands for the memory of each process, as for a server that is tried out."""

_SCHEMES = ("redis", "rediss")


class RedisSettings(ServerSettings):
    """The address of Redis."""

    limit_store: SecretStr | None = None
    """The URL of Redis, `rediss://` with TLS; `memory://` keeps all state in each process alone."""

    @field_validator("limit_store")
    @classmethod
    def _check_store(cls, given: SecretStr | None) -> SecretStr | None:
        url = given.get_secret_value() if given else IN_MEMORY
        parts = urlsplit(url)
        if url != IN_MEMORY and (parts.scheme not in _SCHEMES or not parts.hostname):
            raise ValueError("must be a URL that begins with redis:// or rediss://, or memory://")
        return given


def redis_client(settings: RedisSettings) -> Redis | None:
    """A client of the Redis that the settings name, which connects when it is used; None for
    `memory://`. Raises `ValueError` without an address: processes that kept state alone would let
    through more than the project asks for."""
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
    """The time in which Redis is asked. Raises `StoreUnavailable` if Redis fails or is too slow."""
    try:
        async with asyncio.timeout(STORE_SECONDS):
            yield
    except (RedisError, OSError, TimeoutError) as fault:
        # The text of a fault may hold an address; its kind says enough, such as `OutOfMemoryError`.
        raise StoreUnavailable(type(fault).__name__) from fault
