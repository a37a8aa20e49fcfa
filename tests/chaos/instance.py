"""One instance of the server under faults. `CHAOS_CLOCK` is how many seconds its wall clock is wrong."""

from __future__ import annotations

import os
import time

from pydantic_settings import SettingsConfigDict

from mcpgen_runtime.elicitation.confirm import Confirmation, ConfirmSettings
from mcpgen_runtime.elicitation.request_states_redis import redis_states
from mcpgen_runtime.elicitation.rounds import open_questions
from mcpgen_runtime.fast_path.fast_path import open_fast_path
from mcpgen_runtime.hooks import Hooks
from mcpgen_runtime.limits.circuit_breaker import CircuitBreaker, CircuitBreakerSettings
from mcpgen_runtime.limits.circuit_breaker_redis import redis_circuits
from mcpgen_runtime.limits.rate_limits import RateLimits, Rates, RateSettings
from mcpgen_runtime.limits.redis_client import RedisSettings
from mcpgen_runtime.limits.retries import Retries, RetrySettings
from mcpgen_runtime.limits.sliding_window_redis import redis_windows
from mcpgen_runtime.server.app import App, ServerInfo, create_app
from mcpgen_runtime.server.cli import main
from mcpgen_runtime.server.feature import feature_registry
from mcpgen_runtime.server.middleware import Middleware
from mcpgen_runtime.tool import Argument, Hints, Route, Tool
from mcpgen_runtime.validation.cost import bounded_validation

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
    return create_app(
        ServerInfo("chaos", "Chaos", "1"),
        TOOLS,
        (),
        settings,
        Hooks(),
        rules,
        registry=feature_registry(),
        fast_path=open_fast_path,
        extensions=(bounded_validation,),
        questions=open_questions,
    )


if __name__ == "__main__":
    raise SystemExit(main("chaos", InstanceSettings, create))
