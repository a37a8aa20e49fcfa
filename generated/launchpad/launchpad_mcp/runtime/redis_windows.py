"""Where calls are counted for many processes and machines at once: sliding windows in Redis.

One script of Redis looks and counts, so two servers can never both take the last place.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from limits.aio.storage import RedisStorage
from pydantic import SecretStr, field_validator
from redis.asyncio import BlockingConnectionPool
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from .rates import RateSettings
from .windows import STORE_SECONDS, Store, in_memory

CONNECTIONS = 50
"""How many connections one process has at most; further calls wait for one."""

IN_MEMORY = "memory://"
"""The address that stands for the memory of each process, as for a server that is tried out."""

_SCHEMES = ("redis", "rediss")


class RedisSettings(RateSettings):
    """The rates, and where Redis is."""

    limit_store: SecretStr | None = None
    """The URL of Redis, `rediss://` with TLS; `memory://` counts in each process alone."""

    @field_validator("limit_store")
    @classmethod
    def _check_store(cls, given: SecretStr | None) -> SecretStr | None:
        url = given.get_secret_value() if given else IN_MEMORY
        parts = urlsplit(url)
        if url != IN_MEMORY and (parts.scheme not in _SCHEMES or not parts.hostname):
            raise ValueError("must be a URL that begins with redis:// or rediss://, or memory://")
        return given


def redis_windows(settings: RedisSettings) -> Store:
    """The store that the settings name. Raises `ValueError` if they name none: a server that
    counted alone would let through more than was asked for."""
    if settings.limit_store is None:
        variable = settings.variable("limit_store")
        raise ValueError(
            f"{variable} is not set: the limits are counted in Redis, for all processes together; set it to"
            " the URL of Redis, such as redis://localhost:6379/0, or to memory:// to try the server out"
        )
    url = settings.limit_store.get_secret_value()
    if url == IN_MEMORY:
        return in_memory()
    pool = BlockingConnectionPool.from_url(
        url,
        max_connections=CONNECTIONS,
        timeout=STORE_SECONDS,
        socket_connect_timeout=STORE_SECONDS,
        socket_timeout=STORE_SECONDS,
        retry=Retry(NoBackoff(), 0),
    )
    storage = RedisStorage(
        f"async+{url}",
        implementation="redispy",
        key_prefix="mcp",
        connection_pool=pool,  # type: ignore[arg-type]  # documented, but not in the types
    )
    return Store(storage, (RedisError, OSError), pool.aclose)
