"""Plays random requests to a server with and without the fast path; both must answer alike.

`python -m tests.runtime.fast_path_equivalence --requests 1000000 --seed 7` plays more requests
than the tests do.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import re
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from random import Random
from typing import Any

from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from tests.runtime.apps import create_app
from tests.runtime.auth_servers import ACCESS, entry, settings
from tests.runtime.request_fuzzer import Kinds, Request, request
from tests.runtime.test_discovery import discovery

from mcpgen_runtime.auth.authentication import Authentication
from mcpgen_runtime.auth.scopes import HiddenScopes, Scopes
from mcpgen_runtime.hooks import Call, Hooks
from mcpgen_runtime.limits import sliding_window
from mcpgen_runtime.limits.rate_limits import RateLimits, Rates, RateSettings
from mcpgen_runtime.observability.audit import Audit
from mcpgen_runtime.observability.request_id import RequestIds
from mcpgen_runtime.result import Result, text_block
from mcpgen_runtime.server.app import App, ServerInfo
from mcpgen_runtime.server.asgi import Message
from mcpgen_runtime.server.feature import ToolView
from mcpgen_runtime.server.middleware import Middleware
from mcpgen_runtime.server.toolsets import Toolsets
from mcpgen_runtime.tool import Argument, Hints, Route, Tool

TEXT = {"type": "string", "description": "A text – of any kind."}
NUMBER = {"type": "integer", "maximum": 10**30}
SURE = {"type": "object", "properties": {"sure": {"type": "boolean"}}}
LISTED = {"type": "object", "properties": {"result": {"type": "array"}}, "required": ["result"]}


def _tool(name: str, *arguments: Argument, **more: Any) -> Tool:
    reads = Hints(read_only=name != "fail", destructive=False, idempotent=True)
    return Tool(
        name,
        name.title(),
        f"Does {name} – 'é'.",
        Route("GET", f"/{name}"),
        reads,
        arguments,
        **more,
    )


TOOLS = (
    _tool("echo", Argument("city", "query", TEXT), Argument("n", "query", NUMBER)),
    _tool("many", Argument("city", "query", TEXT)),
    _tool("fail"),
    _tool("value", Argument("city", "query", TEXT), output=LISTED),
    _tool("picture"),
    _tool("nothing"),
    _tool("broken"),
    _tool("odd", Argument("n", "query", NUMBER)),
    _tool("tells"),
    _tool("asks"),
)

CALLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("echo", {"city": "Paris", "n": 3}),
    ("echo", {"city": 'Œ\u2028"\\\x7f\n', "n": 2**70}),
    ("echo", {}),
    ("echo", {"city": 4, "town": None}),
    ("many", {"city": "\u0085 🜚"}),
    ("fail", {}),
    ("value", {"city": "é", }),
    ("value", {}),
    ("picture", {}),
    ("nothing", {}),
    ("broken", {}),
    ("tells", {}),
    ("asks", {}),
    *(("odd", {"n": n}) for n in range(13)),
)  # fmt: skip

ODD_RESULTS: tuple[Any, ...] = (
    Result(({"type": "text", "text": "a", "annotations": {"priority": 1.0}},)),
    Result(({"type": "text", "text": "half \ud800"},)),
    Result(({"type": "text"},)),
    Result((text_block("a"),), structured={"a": None, "b": [1.0, 1e22, float("nan"), {"é": None}]}),
    Result((text_block("a"),), structured=[1, 2]),
    Result((text_block("a"),), structured={1: 2}),
    Result((text_block("a"),), structured={"a": {3}}),
    Result((text_block("a"), {"type": "resource_link", "name": "a", "uri": "http://a"})),
    Result(({"type": "text", "text": 5},)),
    Result((text_block("a"),), failed=1),  # type: ignore[arg-type]
    Result(("a",)),  # type: ignore[arg-type]
    {"content": []},
    None,
)


@dataclass
class Side:
    """Server and a record of its calls."""

    happened: list[Any] = field(default_factory=list)
    reached: int = 0
    app: App | None = None

    def hooks(self) -> Hooks:
        """Returns hooks that answer every tool and record name, arguments and caller."""
        return Hooks({tool.name: self._answer for tool in TOOLS})

    async def _answer(self, call: Call) -> Result:
        name, arguments = call.tool.name, dict(call.arguments)
        self.happened.append((name, arguments, call.caller.subject, call.caller.toolset))
        if name == "many":
            await asyncio.sleep(0)
            return Result(tuple(map(text_block, ("one", arguments.get("city", "–"), ""))))
        if name == "fail":
            return Result.error("It failed:", "- so it is")
        if name == "value":
            return Result((text_block("[1]"),), {"result": [1, arguments.get("city"), 0.1]})
        if name == "picture":
            return Result(({"type": "image", "data": "QQ==", "mimeType": "image/png"},))
        if name == "nothing":
            return Result(())
        if name == "tells":
            await call.progress(1, 2, "– half")
            await call.log("warning", {"é": 1}, "canary")
        if name == "asks":
            await call.elicit("Really – é?", SURE)
        if name == "broken":
            raise RuntimeError("as it happens")
        if name == "odd":
            odd_result: Result = ODD_RESULTS[arguments.get("n", 0) % len(ODD_RESULTS)]
            return odd_result
        return Result.json(arguments)


@dataclass(frozen=True)
class Case:
    """Kind of server, with the requests to play."""

    kinds: Kinds
    rules: Callable[[Side], Sequence[Middleware]] = lambda _: ()
    surface: Callable[[], ToolView | None] = lambda: None
    toolsets: dict[str, str] = field(default_factory=dict)


KEYS = [
    entry("reader", "reader", scopes=["read"]),
    entry("writer", "writer", scopes=["read", "write"]),
]
BEARERS = {"authorization": ("Bearer reader", "Bearer writer", "Bearer writer", "Bearer stranger")}
NEEDED = {"fail": ("write",), "many": ("read",)}


def _guarded_rules(side: Side) -> tuple[Middleware, ...]:
    caller_settings = settings(caller_keys=KEYS)
    return (
        Audit(
            caller_settings,
            lambda event: side.happened.append(_timeless(event)),
            server="canary",
            arguments=True,
        ),
        RequestIds(),
        Authentication(caller_settings, ACCESS),
        HiddenScopes(NEEDED),
        Scopes(NEEDED),
        RateLimits(RateSettings(), Rates(tools={"picture": "5/hour"}), code=-32002),
    )


def _timeless(event: dict[str, Any]) -> dict[str, Any]:
    timely = ("time", "durationMs", "requestId")
    return {name: value for name, value in event.items() if name not in timely}


SETS = {"small": ("echo", "fail"), "odd": ("odd", "value", "picture")}
PATHS = ("/mcp", "/mcp", "/mcp/small", "/mcp/odd", "/mcp/none", "/mcp/", "/")
MEANT: tuple[tuple[str, dict[str, Any]], ...] = (
    ("search_tools", {"query": "echo"}),
    ("describe_tool", {"name": "echo"}),
    ("describe_tool", {"name": "nobody"}),
    ("call_read_tool", {"name": "echo", "arguments": '{"city": "Rome"}'}),
    ("call_read_tool", {"name": "fail", "arguments": "{}"}),
    ("call_write_tool", {"name": "fail", "arguments": {}}),
    ("call_write_tool", {"name": "fail", "arguments": "{"}),
    *CALLS,
)

CASES = {
    "plain": Case(Kinds(CALLS)),
    "guarded": Case(Kinds(CALLS, headers=BEARERS), rules=_guarded_rules),
    "sets": Case(
        Kinds(CALLS, paths=PATHS),
        rules=lambda _: (Toolsets(SETS),),
        toolsets={"small": "A few.", "odd": ""},
    ),
    "discovery": Case(Kinds(MEANT), surface=lambda: discovery(*TOOLS, pinned=("value",))),
}

MAX_PAUSE = 30.0
"""Seconds between two requests at most, by the clock of both servers."""

Answer = tuple[int, list[tuple[bytes, bytes]], bytes]

_REFERENCE = re.compile(rb"its log has it as [0-9a-f]{8}")
_STATE = re.compile(rb'"requestState":"v1\.[\w-]+"')
_RANDOM_ID = re.compile(rb"[0-9a-f]{32}")


async def send_request(app: App, request: Request) -> Answer:
    """Returns status, headers in alphabetical order and body of an app's response. Random parts
    are masked: the reference of a failure, the state of an elicitation and its length, and the
    id that the server assigns to a request without id."""
    pieces = [
        request.body[i:j] for i, j in zip((0, *request.cuts), (*request.cuts, None), strict=True)
    ]
    messages: list[Message] = []

    async def receive() -> Message:
        if pieces:
            return {"type": "http.request", "body": pieces.pop(0), "more_body": bool(pieces)}
        future: asyncio.Future[Message] = asyncio.get_running_loop().create_future()
        return await future

    async def send(message: Message) -> None:
        messages.append(message)

    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": request.method,
        "scheme": "http",
        "path": request.path,
        "raw_path": request.path.encode(),
        "query_string": b"",
        "root_path": "",
        "headers": [(name.encode(), value.encode("latin-1")) for name, value in request.headers],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 8000),
    }
    await asyncio.wait_for(app(scope, receive, send), 120)
    headers = [(name, _RANDOM_ID.sub(b"", value)) for name, value in messages[0]["headers"]]
    body = b"".join(part.get("body", b"") for part in messages[1:])
    if _STATE.search(body):
        headers = [pair for pair in headers if pair[0] != b"content-length"]
        body = _STATE.sub(b"", body)
    return int(messages[0]["status"]), sorted(headers), _REFERENCE.sub(b"a reference", body)


@asynccontextmanager
async def _run_side(case: Case, *, is_fast: bool) -> AsyncIterator[Side]:
    """Runs a server of a case."""
    side = Side()
    side.app = create_app(
        ServerInfo("canary", "Canary – é", "1.0.0", "Sings.", case.toolsets),
        TOOLS,
        (),
        settings(upstream="http://127.0.0.1:9", fast_path=is_fast),
        side.hooks(),
        case.rules(side),
        surface=case.surface(),
    )
    async with side.app.running():
        yield side


@dataclass
class Outcome:
    """Result of many requests: how many the fast path answered, and the first requests with two
    different answers, with both answers."""

    taken: int = 0
    differences: list[tuple[Request, Any, Any]] = field(default_factory=list)


async def agreement(name: str, seed: int, count: int) -> Outcome:
    """Plays random requests of a case to both servers, and returns the outcome."""
    case, random, outcome = CASES[name], Random(f"{name} {seed}"), Outcome()
    async with (
        _run_side(case, is_fast=True) as fast_side,
        _run_side(case, is_fast=False) as sdk_side,
    ):
        for _ in range(count):
            fuzzed_request = request(random, case.kinds)
            _clock.now += random.uniform(0, MAX_PAUSE)
            result: list[tuple[Answer, list[str]]] = []
            for side in (fast_side, sdk_side):
                count_before, side.happened = _sdk_request_count[0], []
                assert side.app
                result.append(
                    (await send_request(side.app, fuzzed_request), sorted(map(repr, side.happened)))
                )
                side.reached += _sdk_request_count[0] - count_before
            if result[0] != result[1]:
                outcome.differences.append((fuzzed_request, result[0], result[1]))
                if len(outcome.differences) == 5:
                    break
    outcome.taken = sdk_side.reached - fast_side.reached
    return outcome


@dataclass
class Clock:
    """Clock for rate limits. The clock stands still while a request is played to both servers, so
    both report the same waiting time."""

    now: float = 1_800_000_000.0

    def monotonic(self) -> float:
        """Seconds."""
        return self.now


_clock = Clock()
_sdk_request_count = [0]
_handle_request = StreamableHTTPSessionManager.handle_request


async def _count_request(self: StreamableHTTPSessionManager, *arguments: Any) -> None:
    _sdk_request_count[0] += 1
    await _handle_request(self, *arguments)


def watching(patch: Callable[..., None]) -> None:
    """Counts requests that reach the SDK, and gives both servers one clock for rate limits.
    `patch` is `setattr` or `monkeypatch.setattr`."""
    patch(StreamableHTTPSessionManager, "handle_request", _count_request)
    patch(sliding_window, "monotonic", _clock.monotonic)


def main() -> int:
    """Plays requests to each kind of server. Returns the exit code: 1 if any two answers differ."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    logging.disable()
    watching(setattr)
    different = 0
    for name in CASES:
        outcome = asyncio.run(agreement(name, options.seed, options.requests // len(CASES)))
        different += len(outcome.differences)
        print(f"{name}: {outcome.taken} taken, {len(outcome.differences)} differences", flush=True)
        for difference in outcome.differences:
            print("", *difference, sep="\n  ")
    return min(different, 1)


if __name__ == "__main__":
    sys.exit(main())
