"""One instance of the server under faults. `CHAOS_CLOCK` is how many seconds its wall clock is wrong."""

from __future__ import annotations

import os
import time

from pydantic_settings import SettingsConfigDict
from templates.project.package.runtime.app import App, create_app
from templates.project.package.runtime.circuit_breaker import CircuitBreaker, CircuitBreakerSettings
from templates.project.package.runtime.circuit_breaker_redis import redis_circuits
from templates.project.package.runtime.cli import main
from templates.project.package.runtime.confirm import Confirmation, ConfirmSettings
from templates.project.package.runtime.hooks import Hooks
from templates.project.package.runtime.middleware import Middleware
from templates.project.package.runtime.rate_limits import RateLimits, Rates, RateSettings
from templates.project.package.runtime.redis_client import RedisSettings
from templates.project.package.runtime.request_states_redis import redis_states
from templates.project.package.runtime.retries import Retries, RetrySettings
from templates.project.package.runtime.server_info import ServerInfo
from templates.project.package.runtime.sliding_window_redis import redis_windows
from templates.project.package.runtime.tool import Argument, Hints, Route, Tool

RATE_CALLS, RATE_SECONDS = 12, 2
"""How often `order` may be called by all callers at all instances."""

_ID = Argument("id", "path", {"type": "string"}, required=True)
_WRITES = Hints(read_only=False, destructive=True, idempotent=False)
TOOLS = (
    Tool("order", "Order", "", Route("POST", "/orders/{id}"), _WRITES, (_ID,)),
    Tool("remove", "Remove", "", Route("DELETE", "/things/{id}"), _WRITES, (_ID,)),
)


class InstanceSettings(
    RateSettings, ConfirmSettings, RetrySettings, CircuitBreakerSettings, RedisSettings
):
    """The settings of an instance."""

    model_config = SettingsConfigDict(env_prefix="CHAOS_")


def create(settings: InstanceSettings) -> App:
    """The server, with every rule whose state instances share."""
    clock, shift = time.time, float(os.environ.get("CHAOS_CLOCK", "0"))
    time.time = lambda: clock() + shift
    rate = f"{RATE_CALLS}/{RATE_SECONDS} seconds"
    rules: tuple[Middleware, ...] = (
        RateLimits(settings, Rates(tools={"order": rate}), redis_windows(settings), code=429),
        Confirmation(settings, ("remove",), redis_states(settings)),
        Retries(settings, attempts=2, wait_seconds=1),
        CircuitBreaker(settings, failures=8, seconds=1, share=redis_circuits(settings)),
    )
    return create_app(ServerInfo("chaos", "Chaos", "1"), TOOLS, (), settings, Hooks(), rules)


if __name__ == "__main__":
    raise SystemExit(main("chaos", InstanceSettings, create))
