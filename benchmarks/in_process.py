"""Measures calls of an API in the same process: `python -m benchmarks.in_process` prints a table.

Median microseconds of processor time per request of a Starlette application: called directly, by the
client of a server, and by a tool call in MCP's JSON form.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import Awaitable, Callable
from statistics import median
from typing import Any

from benchmarks.documents import ROOT
from benchmarks.markdown import markdown_table

sys.path.insert(0, str(ROOT / "runtime"))

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route as HostRoute

from mcpgen_runtime.fast_path.fast_path import open_fast_path
from mcpgen_runtime.hooks import Hooks
from mcpgen_runtime.server.app import ServerInfo, create_app
from mcpgen_runtime.settings import ServerSettings
from mcpgen_runtime.tool import Hints, Route, Tool
from mcpgen_runtime.upstream.exchange import UpstreamRequest
from mcpgen_runtime.upstream.in_process import InProcessClient, in_process

CALLS, ROUNDS = 500, 20
TOOL = Tool("harbours", "", "", Route("GET", "/harbours"), Hints(True, False, True))
HEADERS = [
    (b"host", b"localhost"),
    (b"content-type", b"application/json"),
    (b"accept", b"application/json"),
    (b"mcp-protocol-version", b"2025-06-18"),
]
CALL = json.dumps(
    {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": "harbours", "arguments": {}},
    }
).encode()
Asgi = Callable[[Any, Any, Any], Awaitable[None]]


async def _harbours(request: Request) -> JSONResponse:
    return JSONResponse([{"id": "gullhaven", "name": "Gullhaven", "region": "north"}])


async def _send_request(app: Asgi, method: str, path: str, body: bytes = b"") -> bytes:
    """The body of the application's response. Raises AssertionError for another status than 200."""
    answer: list[bytes] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": body}

    async def send(message: dict[str, Any]) -> None:
        assert message.get("status", 200) == 200
        answer.append(message.get("body", b""))

    headers = [*HEADERS, (b"content-length", str(len(body)).encode())]
    scope = {"type": "http", "method": method, "path": path, "raw_path": path.encode()}
    scope |= {"query_string": b"", "headers": headers, "http_version": "1.1", "root_path": ""}
    scope |= {"scheme": "http", "server": ("localhost", 80), "client": ("127.0.0.1", 1)}
    await app(scope, receive, send)
    return b"".join(answer)


async def _microseconds(call: Callable[[], Awaitable[object]]) -> float:
    """The median over rounds."""
    rounds = []
    for _ in range(ROUNDS):
        begin = time.process_time()
        for _ in range(CALLS):
            await call()
        rounds.append((time.process_time() - begin) / CALLS * 1e6)
    return median(rounds)


async def time_call_paths() -> dict[str, float]:
    """The microseconds by name of the call."""
    api = Starlette(routes=[HostRoute("/harbours", _harbours)])
    settings = ServerSettings(upstream="http://localhost")
    request = UpstreamRequest("GET", "/harbours")
    info = ServerInfo("harbours", "Harbours", "1")
    options: dict[str, Any] = {"upstream": in_process(api), "fast_path": open_fast_path}
    server = create_app(info, (TOOL,), (), settings, Hooks(), **options)
    async with InProcessClient(api, settings, "benchmark") as client, server.running():
        answer = await _send_request(server, "POST", "/mcp", CALL)
        assert b"Gullhaven" in answer, answer
        return {
            "the application itself": await _microseconds(
                lambda: _send_request(api, "GET", "/harbours")
            ),
            "the client of the server": await _microseconds(lambda: client.send(request)),
            "a tool call": await _microseconds(lambda: _send_request(server, "POST", "/mcp", CALL)),
        }


def main() -> None:
    """Prints the table."""
    figures = asyncio.run(time_call_paths())
    application_cost = figures["the application itself"]
    rows = [
        (name, f"{value:.0f}", f"{value - application_cost:.0f}") for name, value in figures.items()
    ]
    print(markdown_table(("call", "µs of the processor", "over the application"), rows))


if __name__ == "__main__":
    main()
