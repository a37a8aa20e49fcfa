"""Measures each rule of a policy: `python -m benchmarks.policy`.

A rule handles one HTTP request, one message, one call and one upstream request around functions that do
nothing. Figures are processor time, without network, Redis and protocol.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

from pydantic import SecretStr

sys.path.insert(0, str(Path(__file__).parents[1]))

from mcpgen_runtime.auth.api_keys import entry_for
from mcpgen_runtime.auth.authentication import Authentication
from mcpgen_runtime.auth.config import AuthConfig, CallerSettings
from mcpgen_runtime.auth.scopes import Scopes
from mcpgen_runtime.caller import Caller
from mcpgen_runtime.limits.circuit_breaker import CircuitBreaker, CircuitBreakerSettings
from mcpgen_runtime.limits.concurrency import Caps, CapSettings
from mcpgen_runtime.limits.rate_limits import RateLimits, Rates, RateSettings
from mcpgen_runtime.limits.retries import Retries, RetrySettings
from mcpgen_runtime.observability.audit import Audit
from mcpgen_runtime.observability.audit_json import AuditSettings, audit_lines
from mcpgen_runtime.observability.metrics import Metrics, MetricsSettings
from mcpgen_runtime.observability.request_id import RequestIds
from mcpgen_runtime.result import Result
from mcpgen_runtime.server.asgi import Receive, Scope, Send
from mcpgen_runtime.server.endpoint import Endpoint
from mcpgen_runtime.server.invocation import (
    Invocation,
    around_call,
    around_delivery,
    rules_overriding,
)
from mcpgen_runtime.server.message_rules import IncomingMessage, MessageRule
from mcpgen_runtime.server.middleware import Middleware
from mcpgen_runtime.settings import ServerSettings
from mcpgen_runtime.tool import Hints, Route, Tool
from mcpgen_runtime.upstream.exchange import UpstreamRequest, UpstreamResponse

BOUND = 150e-6
"""Processor seconds of the rules of `BOUNDED` together."""

ROUNDS, CALLS = 30, 200

TOOL = Tool("get", "Get", "", Route("GET", "/it"), Hints(True, False, True))
CALLER = Caller("ada", frozenset({"read"}), credential="a-credential-as-it-came")
MESSAGE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "tools/call",
    "params": {"name": "get", "arguments": {}},
}
ANSWER = UpstreamResponse(200, "OK", {}, b"{}", True, "/it")
REQUEST = UpstreamRequest("GET", "/it")
RESULT = Result.text("{}")
KEY = "a-key-as-a-caller-shows-it"
SCOPE: Scope = {
    "type": "http",
    "method": "POST",
    "path": "/mcp",
    "query_string": b"",
    "headers": [(b"host", b"localhost"), (b"authorization", f"Bearer {KEY}".encode())],
    "client": ("127.0.0.1", 5),
}
URL = "http://api.example"

Once = Callable[[], Coroutine[Any, Any, None]]


def make_rate_limits() -> Middleware:
    """Limits per caller, per tool, per caller and tool, and in all, in memory, never reached."""
    rate = "500000/day"
    rates = Rates(rate, rate, {"get": rate}, {"get": rate})
    return RateLimits(RateSettings(), rates, code=429)


def make_authentication() -> Middleware:
    """Authentication by an API key, with a hundred keys in the settings."""
    entries = [entry_for(f"{KEY}{number}", f"caller {number}", ["read"]) for number in range(99)]
    keys = json.dumps([*entries, entry_for(KEY, "ada", ["read"])])
    return Authentication(CallerSettings(caller_keys=SecretStr(keys)), AuthConfig(scopes=("read",)))


BOUNDED: dict[str, Callable[[], Middleware]] = {
    "authentication by a key": make_authentication,
    "scopes, by one that contains it": lambda: Scopes({"get": ("read:one",)}),
    "rate limits, four at once, in memory": make_rate_limits,
    "audit, a line in a file": lambda: Audit(
        ServerSettings(), audit_lines(AuditSettings(audit_file=os.devnull)), server="pets"
    ),
}
"""Rules whose sum must not exceed `BOUND`."""

OTHERS: dict[str, Callable[[], Middleware]] = {
    "an endpoint with a parameter in its path": lambda: Endpoint("/{tenant}"),
    "caps on calls under way and time": lambda: Caps(
        CapSettings(), concurrent=9, concurrent_subject=9, call_seconds=60
    ),
    "repetitions, when none is needed": lambda: Retries(
        RetrySettings(upstream=URL), attempts=2, wait_seconds=5
    ),
    "a breaker that is closed": lambda: CircuitBreaker(
        CircuitBreakerSettings(upstream=URL), failures=5, seconds=30
    ),
    "request ids": RequestIds,
    "metrics for Prometheus": lambda: Metrics(MetricsSettings()),
}
"""Rules without a bound."""


def call_through(rule: Middleware) -> Once:
    """A coroutine function that sends one call through a rule."""
    calls, sends = (rules_overriding([rule], place) for place in ("call", "send"))

    async def call_tool() -> Result:
        return RESULT

    async def send_upstream(_: UpstreamRequest) -> UpstreamResponse:
        return ANSWER

    async def respond(scope: Scope, receive: Receive, send: Send) -> None:
        invocation = Invocation(TOOL, {}, CALLER)
        if isinstance(rule, MessageRule):
            assert await rule.screen(IncomingMessage(CALLER, MESSAGE)) is None
        if calls:
            await around_call(calls, invocation, call_tool)()
        if sends:
            await around_delivery(sends, invocation, send_upstream)(REQUEST)
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def receive() -> Any:
        return {}

    async def send(message: Any) -> None:
        assert (
            message.get("status", 200) == 200
        ), "the rule refused a request that it should pass on"

    app = rule.gate(respond)

    async def send_call() -> None:
        await app(SCOPE, receive, send)

    return send_call


async def time_call(send_call: Once) -> float:
    """Processor seconds of one call, as the median of `ROUNDS` rounds."""
    rounds = []
    for _ in range(ROUNDS):
        start = process_time()
        for _ in range(CALLS):
            await send_call()
        rounds.append((process_time() - start) / CALLS)
    return median(rounds)


async def main() -> int:
    """Prints a line per rule; returns 1 if the bounded rules exceed the bound."""
    baseline = await time_call(call_through(Middleware()))
    total = 0.0
    for rules in (BOUNDED, OTHERS):
        for name, make in rules.items():
            cost = await time_call(call_through(make())) - baseline
            total += cost if rules is BOUNDED else 0
            print(f"{name:40}{cost * 1e6:8.1f} µs")
    print(f"{'together, of at most 150 µs':40}{total * 1e6:8.1f} µs  ({', '.join(BOUNDED)})")
    return int(total > BOUND)


if __name__ == "__main__":
    raise SystemExit(asyncio.run(main()))
