"""What each rule of a policy costs per call: `python -m benchmarks.policy`.

Each rule stands around nothing, so that the figure is its own: the time of the processor, the median
of many rounds. The caller has called before, as all but the first call of a token have.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from statistics import median
from time import process_time

sys.path.insert(0, str(Path(__file__).parents[1]))

from templates.project.package.runtime.access import Access
from templates.project.package.runtime.authentication import Authentication
from templates.project.package.runtime.caller import Caller
from templates.project.package.runtime.caller_settings import CallerSettings
from templates.project.package.runtime.endpoint import Endpoint
from templates.project.package.runtime.http import Message, Receive, Scope, Send
from templates.project.package.runtime.policy import Invocation
from templates.project.package.runtime.result import Result
from templates.project.package.runtime.scopes import Scopes
from templates.project.package.runtime.tool import Hints, Route, Tool

from benchmarks.table import table

BOUND = 150e-6
"""Seconds of the processor that all rules together may take for one call."""

ROUNDS, CALLS = 30, 1000

_KEY = "benchmark-key-" + "x" * 900
"""As long as a signed token."""

_TOOL = Tool("look", "Look", "", Route("GET", "/it"), Hints(True, False, True))
_PATH = "/api/v1/workspaces/berlin/mcp"
_SCOPE: Scope = {
    "type": "http",
    "method": "POST",
    "path": _PATH,
    "raw_path": _PATH.encode(),
    "query_string": b"",
    "headers": [
        (b"host", b"localhost:8000"),
        (b"content-type", b"application/json"),
        (b"accept", b"application/json, text/event-stream"),
        (b"authorization", f"Bearer {_KEY}".encode()),
    ],
}

Call = Callable[[], Awaitable[object]]


async def _nothing(scope: Scope, receive: Receive, send: Send) -> None:
    """The application behind a gate."""


async def _received() -> Message:
    return {"type": "http.request", "body": b"", "more_body": False}


async def _sent(message: Message) -> None:
    raise AssertionError("the caller was not let in")


def authentication() -> Call:
    """A caller whose credential was verified before."""
    digest = hashlib.sha256(_KEY.encode()).hexdigest()
    keys = json.dumps([{"key": f"sha256:{digest}", "subject": "ada", "scopes": ["write"]}])
    rule = Authentication(CallerSettings.model_validate({"caller_keys": keys}), Access())
    gate = rule.gate(_nothing)
    return lambda: gate(_SCOPE, _received, _sent)


def endpoint() -> Call:
    """A path with a parameter."""
    gate = Endpoint("/api/v1/workspaces/{workspaceId}/mcp").gate(_nothing)
    return lambda: gate(_SCOPE, _received, _sent)


def scopes() -> Call:
    """A tool that asks for a scope, which the caller has by one that contains it."""
    rule = Scopes({"look": ("write:ingest",)})
    invocation = Invocation(_TOOL, {}, Caller("ada", frozenset({"read", "write"})))
    result = Result.text("")

    async def finish() -> Result:
        return result

    return lambda: rule.call(invocation, finish)


ROWS: dict[str, Callable[[], Call]] = {
    "authentication, verified before": authentication,
    "endpoint with a parameter": endpoint,
    "scopes": scopes,
}
"""What is measured, by the name of its row."""


async def cost(call: Call) -> float:
    """Seconds of the processor that one call takes."""
    rounds = []
    for _ in range(ROUNDS):
        start = process_time()
        for _ in range(CALLS):
            await call()
        rounds.append((process_time() - start) / CALLS)
    return median(rounds)


def main() -> int:
    """Prints the figures; 1 if all together are beyond the bound."""
    costs = {name: asyncio.run(cost(make())) for name, make in ROWS.items()}
    total = sum(costs.values())
    rows = [(name, f"{seconds * 1e6:.1f}") for name, seconds in costs.items()]
    print(table(("rule", "µs per call"), [*rows, ("together", f"{total * 1e6:.1f}")]))
    return int(total > BOUND)


if __name__ == "__main__":
    raise SystemExit(main())
