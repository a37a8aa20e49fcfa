"""What stands between the network and the SDK: it refuses what is no business of MCP and mends
what real clients send. https://modelcontextprotocol.io/specification/2025-11-25/basic/transports
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from .asgi import (
    ODD_ID,
    Asgi,
    BodyTooLarge,
    Receive,
    Scope,
    Send,
    body_of,
    has_odd_id,
    read_body,
    replaying,
    respond,
    rpc_error,
    with_body,
    with_headers,
)
from .batch import REVISIONS, answer_batch
from .origin_check import OriginCheck
from .tool import Json

PATHS = ("/mcp", "/mcp/")
"""Where MCP is served."""

HEADER_MISMATCH = -32020
"""MCP's code for headers that do not say what the body says."""

Headers = Mapping[bytes, bytes]
"""The first value of each header of a request."""

_REVISION = b"mcp-protocol-version"
_MODERN_KEY = "io.modelcontextprotocol/protocolVersion"
_KINDS = ("method", "result", "error")
_NOT_AT_ALL = re.compile(r"q\s*=\s*0(\.0*)?")
_ALLOW = ((b"allow", b"POST"),)
_EITHER = b"application/json, text/event-stream"


@dataclass(frozen=True)
class TransportGuard:
    """The ASGI application in front of two of the SDK's, which answer with JSON or with events."""

    json_app: Asgi
    event_app: Asgi
    guard: OriginCheck
    limit: int
    has_sessions: bool = False

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        """Answers one HTTP request."""
        if scope["path"] not in PATHS:
            return respond(send, 404, rpc_error("There is nothing here; MCP is at /mcp"))
        # httptools leaves the blanks around a header's value, which HTTP says are no part of it.
        pairs = [(name, value.strip(b" \t")) for name, value in scope["headers"]]
        scope = {**scope, "headers": pairs}
        headers = dict(reversed(pairs))
        host = headers.get(b"host", b"").decode("latin-1")
        origin = headers.get(b"origin")
        if not self.guard.allows_host(host):
            return respond(send, 421, rpc_error("This server does not answer for that host"))
        if origin is not None and not self.guard.allows_origin(origin.decode("latin-1"), host):
            return respond(send, 403, rpc_error("This server does not answer that origin"))
        if scope["method"] in ("GET", "DELETE") and self.has_sessions:
            return self.event_app(with_body(scope, b""), receive, send)
        if scope["method"] != "POST":
            # Stateless: there is no stream to open with GET and no session to end with DELETE.
            return respond(send, 405, headers=_ALLOW)
        return self._post(scope, headers, receive, send)

    async def _post(self, scope: Scope, headers: Headers, receive: Receive, send: Send) -> None:
        try:
            raw = await read_body(headers.get(b"content-length", b""), receive, self.limit)
        except BodyTooLarge:
            await respond(send, 413, rpc_error(f"A message holds at most {self.limit} bytes"))
            return
        scope = with_body(scope, raw)
        content = body_of(scope).content
        if not isinstance(content, dict) and raw.lstrip()[:1] == b"[":
            await self._batch(content, scope, headers, send)
        elif has_odd_id(content):
            await respond(send, 400, rpc_error(ODD_ID))
        elif _is_no_message(content):
            # The SDK would say -32602, which is for the parameters of a known method.
            await respond(send, 400, rpc_error("This is no JSON-RPC message"))
        elif not _names_its_revision(content, headers.get(_REVISION)):
            # The SDK would take it for a message of an older revision and answer as in that one.
            message = "The header MCP-Protocol-Version must name the revision of the body"
            await respond(send, 400, rpc_error(message, HEADER_MISMATCH, content.get("id")))
        else:
            app, scope = self._chosen(scope, headers, content)
            await app(scope, replaying(raw, receive), send)

    async def _batch(self, messages: Json, scope: Scope, headers: Headers, send: Send) -> None:
        if not isinstance(messages, list):
            await respond(send, 400, rpc_error("Parse error", -32700))
        elif _text(headers.get(_REVISION)) not in REVISIONS:
            await respond(send, 400, rpc_error("This revision of MCP has no batches"))
        else:
            json_scope = with_headers(scope, {b"accept": b"application/json"})
            await answer_batch(self.json_app, messages, json_scope, send)

    def _chosen(self, scope: Scope, headers: Headers, content: Json) -> tuple[Asgi, Scope]:
        """Events for those who say that they read them, JSON for those who do not. What a session is
        told and what is not answered belongs to it, whatever its sender reads."""
        if self.has_sessions and _is_one_way(content) and headers.get(b"mcp-session-id"):
            return self.event_app, with_headers(scope, {b"accept": _EITHER})
        asked = _text(headers.get(b"accept")) or "*/*"
        accepted = _accepted(asked)
        if not accepted and "application/json" not in asked:
            # Whoever only says what it does not take gets what most take.
            accepted = ("*/*",)
        if "text/event-stream" in accepted:
            return self.event_app, scope
        if any(kind in accepted for kind in ("*/*", "application/json", "application/*")):
            return self.json_app, with_headers(scope, {b"accept": b"application/json"})
        return self.event_app, with_headers(scope, {b"accept": ", ".join(accepted).encode()})


async def respond_disabled(scope: Scope, receive: Receive, send: Send) -> None:
    """The application of a server that is switched off: there is nothing to find but that it runs,
    which probes are told before."""
    await respond(send, 404, {"error": "not_found"})


@lru_cache(maxsize=256)
def _accepted(header: str) -> tuple[str, ...]:
    """The media ranges that a client takes; `q=0` means that it does not.

    https://www.rfc-editor.org/rfc/rfc9110#section-12.5.1
    """
    taken = []
    for asked in header.lower().split(","):
        kind, *parameters = (part.strip() for part in asked.split(";"))
        if not any(_NOT_AT_ALL.fullmatch(parameter) for parameter in parameters):
            taken.append(kind)
    return tuple(taken)


def _is_no_message(message: Json) -> bool:
    """Whether it is JSON, but neither a request, a notification nor a response."""
    if isinstance(message, dict):
        return message.keys().isdisjoint(_KINDS)
    return message is not None


def _is_one_way(message: Json) -> bool:
    """Whether it is a message without an answer: a notification, or itself the answer to a request."""
    return isinstance(message, dict) and not message.keys() >= {"method", "id"}


def _names_its_revision(message: Json, header: bytes | None) -> bool:
    """Whether the header names the revision that the body says it is written in, if it says."""
    try:
        revision = message["params"]["_meta"][_MODERN_KEY]
    except (KeyError, TypeError, IndexError):
        return True
    return bool(_text(header) == revision)


def _text(header: bytes | None) -> str | None:
    """The value of a header as text."""
    return None if header is None else header.decode("latin-1")
