"""The stub API of a smoke test: a loopback server that answers from the scenarios."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import unquote, urlsplit

from mcpgen.ir.server import Server, StubResponse, ToolSpec

_JSON = re.compile(r"[/+]json\s*(;|\Z)", re.IGNORECASE)

INTROSPECTION = "/.well-known/mcpgen-introspection"
"""The introspection endpoint, in place of the real issuer's; no token is active."""

EMPTY = StubResponse(200, "application/json", {})
"""The answer of a route without a scenario."""


@dataclass(frozen=True, slots=True)
class StubRoute:
    """A route as matched by the stub."""

    method: str
    path: re.Pattern[str]
    answer: StubResponse


@dataclass(slots=True)
class StubUpstream:
    """The answers by request, and the received requests: (method, path), percent-decoded."""

    base: str
    exact: dict[tuple[str, str], StubResponse]
    routes: tuple[StubRoute, ...]
    received: set[tuple[str, str]] = field(default_factory=set)
    address: str = ""

    def answer(self, method: str, target: str) -> StubResponse:
        """The API's answer to a request line; records the request."""
        path, _, _ = target.partition("?")
        self.received.add((method, unquote(path)))
        if response := self.exact.get((method, target)):
            return response
        for route in self.routes:
            if route.method == method and route.path.fullmatch(path):
                return route.answer
        return StubResponse(404, "application/json", {"message": "no such route"})

    def got(self, tool: ToolSpec, method: str, target: str) -> bool:
        """True if a request with this method and the path of `target`, below the tool's base, was
        received."""
        path, _, _ = target.partition("?")
        return (method, unquote(_above(tool, self.base) + path)) in self.received


def base_of(tool: ToolSpec, base: str) -> str:
    """The base path of a tool's requests where the API as a whole has `base`.

    The stub stands for all hosts, so only the path of a tool's own base URL counts.
    """
    path = tool.route.base_path if tool.route else None
    return base if path is None else path


def _above(tool: ToolSpec, base: str) -> str:
    """The base path in front of the targets of a tool's scenarios; targets include a tool's own
    base path."""
    return "" if tool.route and tool.route.base_path is not None else base


def upstream_of(server: Server) -> StubUpstream:
    """The API of a server: exact answers per scenario, and a fallback per route."""
    base = urlsplit(server.upstream).path.rstrip("/")
    exact: dict[tuple[str, str], StubResponse] = {}
    routes = []
    for tool in server.tools:
        if tool.route is None:
            continue
        answer = tool.scenarios[0].stub_response if tool.scenarios else EMPTY
        start = base_of(tool, base)
        routes.append(StubRoute(tool.route.method, _path_pattern(start + tool.route.path), answer))
        for scenario in tool.scenarios:
            target = _above(tool, base) + scenario.expected_request.target
            exact.setdefault((scenario.expected_request.method, target), scenario.stub_response)
    exact[("POST", base + INTROSPECTION)] = StubResponse(200, "application/json", {"active": False})
    # Literal segments win over placeholders: `/pets/mine` is not a pet's id.
    routes.sort(key=lambda route: route.path.pattern.count("[^/]*"))
    return StubUpstream(base, exact, tuple(routes))


@contextmanager
def run_stub(upstream: StubUpstream) -> Iterator[str]:
    """Runs the stub and yields the base URL of the API."""
    handler = type("Handler", (_Handler,), {"upstream": upstream})
    http = _Http(("127.0.0.1", 0), handler)
    # A daemon, for an interruption may come before the `try`.
    poll = {"poll_interval": 0.05}
    thread = threading.Thread(target=http.serve_forever, kwargs=poll, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{http.server_address[1]}{upstream.base}"
    finally:
        http.shutdown()
        thread.join()
        http.server_close()


def _path_pattern(template: str) -> re.Pattern[str]:
    """The path template as a pattern; a placeholder is any text without a slash."""
    parts = re.split(r"\{[^{}]*\}", template)
    return re.compile("[^/]*".join(re.escape(part) for part in parts))


class _Http(ThreadingHTTPServer):
    """A server that closes connections when stopped."""

    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignores the error: a client may close the connection at any time."""


class _Handler(BaseHTTPRequestHandler):
    """A connection to the stub."""

    protocol_version = "HTTP/1.1"
    wbufsize = -1
    upstream: StubUpstream

    def handle_one_request(self) -> None:
        """Serves any method; the scenarios decide about the permitted methods."""
        self.raw_requestline = self.rfile.readline(65_537)
        if not self.raw_requestline or not self.parse_request():
            self.close_connection = True
            return
        self._read_body()
        self._send(self.upstream.answer(self.command, self.path))

    def _read_body(self) -> None:
        if "chunked" in self.headers.get("Transfer-Encoding", ""):
            while size := int(self.rfile.readline().partition(b";")[0], 16):
                self.rfile.read(size + 2)
            self.rfile.readline()
        else:
            self.rfile.read(int(self.headers.get("Content-Length") or 0))

    def _send(self, answer: StubResponse) -> None:
        body = _encode_body(answer)
        self.send_response(answer.status)
        if answer.status >= 200 and answer.status not in (204, 304):
            self.send_header("Content-Length", str(len(body)))
        if body:
            self.send_header("Content-Type", answer.media_type or "application/json")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)
        self.wfile.flush()

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: the smoke test reports, not the upstream."""


def _encode_body(answer: StubResponse) -> bytes:
    if answer.status in (204, 304) or (answer.body is None and not answer.media_type):
        return b""
    if isinstance(answer.body, str) and not _JSON.search(answer.media_type):
        return answer.body.encode("utf-8", "replace")
    return json.dumps(answer.body).encode()
