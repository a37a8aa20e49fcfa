"""A server answers over stdio as over HTTP: requests of the fast path's differential test, in every
revision, to the same server over both."""

from __future__ import annotations

import asyncio
import json
import os
import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
from tests.runtime.apps import create_app
from tests.runtime.auth_servers import settings
from tests.runtime.fast_path_equivalence import CALLS, MEANT, TOOLS, Side, send_request
from tests.runtime.request_fuzzer import Request
from tests.runtime.stdio_client import HANDSHAKE, MODERN, modern, request
from tests.runtime.test_discovery import discovery

from mcpgen_runtime.limits.rate_limits import RateLimits, Rates, RateSettings
from mcpgen_runtime.observability.request_id import RequestIds
from mcpgen_runtime.server.app import App, ServerInfo
from mcpgen_runtime.server.log_level import LogLevels
from mcpgen_runtime.server.stdio import StdioConnection

pytestmark = pytest.mark.anyio

NO_SESSION = frozenset({"asks"})
"""Tools that ask in the older revisions: over HTTP without a session, a question is impossible."""

METHODS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("tools/list", {}),
    ("tools/list", {"cursor": "beyond"}),
    ("tools/call", {"name": "nobody"}),
    ("tools/call", {}),
    ("tools/call", {"name": 5}),
    ("tools/call", {"name": "echo", "arguments": [1]}),
    ("prompts/list", {}),
    ("resources/read", {"uri": "canary://a"}),
    ("no/such/method", {}),
    ("ping", {}),
    ("logging/setLevel", {"level": "error"}),
    ("logging/setLevel", {"level": "loud"}),
)

CASES = {"plain": CALLS, "discovery": MEANT}

_RANDOM = (
    (re.compile(r"its log has it as [0-9a-f]{8}"), "a reference"),
    (re.compile(r'"requestState": ?"v1\.[\w-]+"'), '"requestState": ""'),
)


def server(case: str) -> App:
    """Returns a server with rate limits, request ids and a log level."""
    rates = RateLimits(RateSettings(), Rates(tools={"picture": "5/hour"}), code=-32002)
    surface = discovery(*TOOLS, pinned=("value",)) if case == "discovery" else None
    return create_app(
        ServerInfo("canary", "Canary – é", "1.0.0", "Sings."),
        TOOLS,
        (),
        settings(upstream="http://127.0.0.1:9"),
        Side().hooks(),
        (RequestIds(), rates),
        surface=surface,
        offers=(LogLevels(),),
    )


def mask_random_parts(message: Any) -> Any:
    """Returns a message without its random parts."""
    text = json.dumps(message)
    for pattern, replacement in _RANDOM:
        text = pattern.sub(replacement, text)
    return json.loads(text)


def is_answer(message: Any) -> bool:
    """True for a response."""
    return "method" not in message


async def over_http(app: App, message: Mapping[str, Any], revision: str) -> list[Any]:
    """Returns the messages of the event stream that answers a request."""
    headers = {
        "host": "localhost",
        "content-type": "application/json",
        "accept": "application/json, text/event-stream",
        "mcp-protocol-version": revision,
    }
    if revision == MODERN:
        headers["mcp-method"] = message["method"]
        name = message["params"].get("name", message["params"].get("uri"))
        headers |= {"mcp-name": name} if isinstance(name, str) else {}
    body = json.dumps(message).encode()
    _, _, raw = await send_request(app, Request("POST", "/mcp", [*headers.items()], body, ()))
    events = [line[5:] for line in re.split("\r?\n", raw.decode()) if line.startswith("data:")]
    return [json.loads(event) for event in (events or [raw]) if event.strip()]


@dataclass
class Stdio:
    """A connection within this process, over pipes."""

    sink: int
    messages: asyncio.Queue[Any] = field(default_factory=asyncio.Queue)

    async def answers(self, message: Any) -> list[Any]:
        """Sends a request, and returns the messages up to its response."""
        os.write(self.sink, json.dumps(message).encode() + b"\n")
        result = [await asyncio.wait_for(self.messages.get(), 60)]
        while not is_answer(result[-1]):
            result.append(await asyncio.wait_for(self.messages.get(), 60))
        return result


@asynccontextmanager
async def connect_stdio(app: App, toolset: str = "") -> AsyncIterator[Stdio]:
    """Runs a server over stdio."""
    (from_client, to_server), (from_server, to_client) = os.pipe(), os.pipe()
    stdio = Stdio(to_server)
    loop = asyncio.get_running_loop()

    def read() -> None:
        with open(from_server, "rb") as lines:
            for line in lines:
                loop.call_soon_threadsafe(stdio.messages.put_nowait, json.loads(line))

    running = asyncio.create_task(StdioConnection(app, from_client, to_client, toolset).run())
    reading = asyncio.create_task(asyncio.to_thread(read))
    try:
        yield stdio
    finally:
        os.close(to_server)
        await running
        os.close(to_client)
        os.close(from_client)
        await reading


@pytest.mark.parametrize("revision", [*HANDSHAKE, MODERN])
@pytest.mark.parametrize("case", CASES)
async def test_answers_over_stdio_are_those_over_http(case: str, revision: str) -> None:
    messages = [("tools/call", {"name": name, "arguments": params}) for name, params in CASES[case]]
    make = modern if revision == MODERN else request
    http = server(case)
    differences = []
    async with http.running(), connect_stdio(server(case)) as stdio:
        if revision != MODERN:
            info = {"name": "test", "version": "1"}
            params = {"protocolVersion": revision, "capabilities": {}, "clientInfo": info}
            first = request("initialize", 0, **params)
            assert await stdio.answers(first) == await over_http(http, first, revision)
        for number, (method, params) in enumerate((*messages, *METHODS), 1):
            name = params.get("name", "")
            # The newest revision repeats the name in a header, so HTTP refuses another type earlier.
            if name in NO_SESSION if revision != MODERN else not isinstance(name, str):
                continue
            message = make(method, number, **params)
            expected = mask_random_parts(await over_http(http, message, revision))
            answer = mask_random_parts(await stdio.answers(message))
            if expected != answer:
                differences.append((message, expected, answer))

    assert differences == []
