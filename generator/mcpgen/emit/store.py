"""The settings of Redis, in which processes of a server share state."""

from __future__ import annotations

from mcpgen.emit.policy.rule_declaration import PolicyVariable
from mcpgen.ir.server import Server

STORE = ("limits.redis_client", "RedisSettings")
"""The runtime module with the settings of Redis, and the class in the module."""

STORE_REQUIRES = "redis>=6,<9"
"""The distribution of the Redis client, with bounds."""

STORE_VARIABLE = PolicyVariable(
    "limit_store",
    "store that processes share: redis://HOST:PORT/0, memory://",
    "none: the server does not start",
)


def has_store(server: Server) -> bool:
    """True if the server keeps something in Redis."""
    limits = server.limits
    kept = (
        limits.rates.some,
        limits.breaker_failures,
        server.confirmation,
        server.offers.notices.changes,
    )
    return limits.shared and any(kept)
