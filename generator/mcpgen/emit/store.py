"""The Redis in which processes of a server share state, as the files of a project name it."""

from __future__ import annotations

from mcpgen.emit.policy.rule_declaration import PolicyVariable
from mcpgen.ir.server import Server

STORE = ("limits.redis_client", "RedisSettings")
"""The module of the runtime, and the class in it, with the settings of Redis."""

STORE_REQUIRES = "redis>=6,<9"
"""The distribution that speaks to Redis, with its bounds."""

STORE_VARIABLE = PolicyVariable(
    "limit_store", "where processes share counts and state: redis://…, memory://", "no start"
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
