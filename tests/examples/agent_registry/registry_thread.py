"""The registry in a thread, with a clock that tests set."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx2
from docs.examples.agent_registry.app import create
from docs.examples.example import serve
from starlette.types import ASGIApp, Receive, Scope, Send
from tests.redis_server import redis_server

PATIENCE = 120.0
"""Seconds until something that should happen is given up."""


@dataclass
class RunningRegistry:
    """A running registry. `later` is the seconds that its clock is ahead; `refusing` the status of
    every response while set, with `wait` as `Retry-After`; `lost` the path ends that are not found;
    `asked` the method and path of each request."""

    url: str = ""
    later: float = 0.0
    refusing: int = 0
    wait: str = ""
    missing_suffixes: tuple[str, ...] = ()
    requests: list[str] = field(default_factory=list)

    def now(self) -> float:
        """The time of the registry."""
        return time.time() + self.later

    def request(self, method: str, path: str, **options: Any) -> httpx2.Response:
        """The response to one request."""
        with httpx2.Client(base_url=self.url, timeout=PATIENCE, verify=False) as client:
            return client.request(method, path, **options)

    def get(self, path: str) -> Any:
        """The JSON at a path."""
        response = self.request("GET", path)
        assert response.status_code == 200, response.text
        return response.json()

    def servers(self, query: str = "") -> list[Any]:
        """Cards of the listed servers."""
        cards: list[Any] = self.get(f"/mcp/servers{query}")["servers"]
        return cards

    def waits_for(self, line: str, count: int = 1) -> None:
        """Returns after `count` requests whose line begins with `line`."""
        ends = time.monotonic() + PATIENCE
        while sum(name.startswith(line) for name in self.requests) < count:
            assert time.monotonic() < ends, (line, self.requests)
            time.sleep(0.01)


@contextmanager
def registry() -> Iterator[RunningRegistry]:
    """A registry on a free port while the body runs."""
    counterpart = RunningRegistry()
    with redis_server() as redis:
        app = create(":memory:", redis.url, counterpart.now)
        with serve(_recording(app, counterpart)) as counterpart.url:
            yield counterpart


def _recording(app: ASGIApp, counterpart: RunningRegistry) -> ASGIApp:
    async def recording(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await app(scope, receive, send)
            return
        counterpart.requests.append(f"{scope['method']} {scope['path']}")
        status = (
            404 if scope["path"].endswith(counterpart.missing_suffixes) else counterpart.refusing
        )
        if not status:
            await app(scope, receive, send)
            return
        headers = [(b"retry-after", counterpart.wait.encode())] if counterpart.wait else []
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": b"not now"})

    return recording
