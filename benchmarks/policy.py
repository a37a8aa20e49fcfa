"""What each rule of a policy costs a call: `python -m benchmarks.policy`.

A rule does for one call all that it does on the way: with the request, with the message, with the
call and with the request to the API; what lies inside it does nothing. The cost is time of the
processor; that of the network, of Redis and of the protocol is not in it.
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

from templates.project.package.runtime.access import Access
from templates.project.package.runtime.answer import Answer
from templates.project.package.runtime.audit import Audit
from templates.project.package.runtime.audit_lines import AuditSettings, audit_lines
from templates.project.package.runtime.authentication import Authentication
from templates.project.package.runtime.breaker import Breaker, BreakerSettings
from templates.project.package.runtime.caller import Caller
from templates.project.package.runtime.caller_settings import CallerSettings
from templates.project.package.runtime.caps import Caps, CapSettings
from templates.project.package.runtime.correlation import Correlation
from templates.project.package.runtime.endpoint import Endpoint
from templates.project.package.runtime.http import Receive, Scope, Send
from templates.project.package.runtime.keys import entry_for
from templates.project.package.runtime.metrics import Metrics, MetricsSettings
from templates.project.package.runtime.policy import (
    Invocation,
    Rule,
    Told,
    around_call,
    around_delivery,
    having,
)
from templates.project.package.runtime.rates import RateLimits, Rates, RateSettings
from templates.project.package.runtime.request import Request
from templates.project.package.runtime.result import Result
from templates.project.package.runtime.retries import Retries, RetrySettings
from templates.project.package.runtime.scopes import Scopes
from templates.project.package.runtime.settings import ServerSettings
from templates.project.package.runtime.tool import Hints, Route, Tool

BOUND = 150e-6
"""Seconds of the processor that the rules which decide, and the audit, may take together."""

ROUNDS, CALLS = 30, 200

TOOL = Tool("get", "Get", "", Route("GET", "/it"), Hints(True, False, True))
CALLER = Caller("ada", frozenset({"read"}), credential="a-credential-as-it-came")
MESSAGE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "tools/call",
    "params": {"name": "get", "arguments": {}},
}
ANSWER = Answer(200, "OK", {}, b"{}", True, "/it")
REQUEST = Request("GET", "/it")
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


def rate_limits() -> Rule:
    """Rates of a caller, a tool and all, in memory, that are never exceeded."""
    rate = "500000/day"
    rates = Rates(rate, rate, {"get": rate}, {"get": rate})
    return RateLimits(RateSettings(), rates, code=429)


def authentication() -> Rule:
    """The entrance of callers who show a key, among a hundred that are known."""
    entries = [entry_for(f"{KEY}{number}", f"caller {number}", ["read"]) for number in range(99)]
    known = json.dumps([*entries, entry_for(KEY, "ada", ["read"])])
    return Authentication(CallerSettings(caller_keys=SecretStr(known)), Access(scopes=("read",)))


BOUNDED: dict[str, Callable[[], Rule]] = {
    "authentication by a key": authentication,
    "scopes, by one that contains it": lambda: Scopes({"get": ("read:one",)}),
    "rate limits, four at once, in memory": rate_limits,
    "audit, a line in a file": lambda: Audit(
        ServerSettings(), audit_lines(AuditSettings(audit_file=os.devnull)), server="pets"
    ),
}
"""The rules that must stay below the bound together."""

OTHERS: dict[str, Callable[[], Rule]] = {
    "an endpoint with a parameter in its path": lambda: Endpoint("/{tenant}"),
    "caps on calls under way and time": lambda: Caps(
        CapSettings(), concurrent=9, concurrent_subject=9, call_seconds=60
    ),
    "repetitions, when none is needed": lambda: Retries(
        RetrySettings(upstream=URL), attempts=2, wait_seconds=5
    ),
    "a breaker that is closed": lambda: Breaker(
        BreakerSettings(upstream=URL), failures=5, seconds=30
    ),
    "request ids": Correlation,
    "metrics for Prometheus": lambda: Metrics(MetricsSettings()),
}
"""The other rules."""


def through(rule: Rule) -> Once:
    """One call on its way through a rule."""
    screens, calls, sends = (having([rule], place) for place in ("screen", "call", "send"))

    async def answered() -> Result:
        return RESULT

    async def delivered(_: Request) -> Answer:
        return ANSWER

    async def inside(scope: Scope, receive: Receive, send: Send) -> None:
        invocation = Invocation(TOOL, {}, CALLER)
        for each in screens:
            assert await each.screen(Told(CALLER, MESSAGE)) is None
        if calls:
            await around_call(calls, invocation, answered)()
        if sends:
            await around_delivery(sends, invocation, delivered)(REQUEST)
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def receive() -> Any:
        return {}

    async def send(message: Any) -> None:
        assert message.get("status", 200) == 200, "a rule has refused what it should let through"

    gated = rule.gate(inside)

    async def once() -> None:
        await gated(SCOPE, receive, send)

    return once


async def seconds(once: Once) -> float:
    """The time of the processor that one takes: the median of many rounds."""
    rounds = []
    for _ in range(ROUNDS):
        start = process_time()
        for _ in range(CALLS):
            await once()
        rounds.append((process_time() - start) / CALLS)
    return median(rounds)


async def main() -> int:
    """Prints the table; 1 if the bounded rules take too long."""
    nothing = await seconds(through(Rule()))
    total = 0.0
    for rules in (BOUNDED, OTHERS):
        for name, make in rules.items():
            cost = await seconds(through(make())) - nothing
            total += cost if rules is BOUNDED else 0
            print(f"{name:40}{cost * 1e6:8.1f} µs")
    print(f"{'together, of at most 150 µs':40}{total * 1e6:8.1f} µs  ({', '.join(BOUNDED)})")
    return int(total > BOUND)


if __name__ == "__main__":
    raise SystemExit(asyncio.run(main()))
