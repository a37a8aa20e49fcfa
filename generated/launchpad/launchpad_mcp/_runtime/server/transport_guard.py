# Copied by mcpgen from mcpgen-runtime; changes belong in hooks.py or mcpgen.toml.
"""Refuses requests that are not MCP, repairs common client mistakes, and splits JSON-RPC batches,
which only revision 2025-03-26 has
(https://modelcontextprotocol.io/specification/2025-03-26/basic#batching).

https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#sending-messages-to-the-server
"""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import ip_address
from urllib.parse import urlsplit

import anyio
from starlette.datastructures import Headers

from ..settings import ServerSettings
from ..tool import Json
from .asgi import (
    INVALID_ID,
    Asgi,
    BodyTooLarge,
    Message,
    Receive,
    Scope,
    Send,
    body_of,
    has_invalid_id,
    parse_json_body,
    read_body,
    replaying,
    respond,
    rpc_error,
    with_body,
    with_headers,
)

MAX_BATCH_MESSAGES = 50  # Maximum number of messages in a batch

REVISIONS = (None, "2025-03-26")
"""`MCP-Protocol-Version` headers allowed with a batch; a missing header means 2025-03-26."""


async def _answer(app: Asgi, message: Json, scope: Scope) -> Json:
    if not isinstance(message, dict):
        return rpc_error("A message is an object")
    if has_invalid_id(message):
        return rpc_error(INVALID_ID)
    if message.get("method") == "initialize":
        return rpc_error("initialize must not be in a batch", id=message.get("id"))
    body = json.dumps(message).encode()
    sized_scope = with_headers(scope, {b"content-length": str(len(body)).encode()})
    message_scope = with_body(sized_scope, body)
    received = bytearray()

    async def collect(part: Message) -> None:
        received.extend(part.get("body", b""))

    await app(message_scope, replaying(body, disconnect), collect)
    if not received:
        return None
    answer = parse_json_body(bytes(received))
    # Errors about the whole request are plain text.
    return answer or rpc_error(received.decode("utf-8", "replace"), id=message.get("id"))


async def disconnect() -> Message:
    """Receives the end of a request whose body was read."""
    return {"type": "http.disconnect"}


EVENT_BYTES = 1_000_000
"""Maximum bytes of an event; the rest up to the client's limit is for framing."""

_EVENT = re.compile(rb"(?:(?:event|id): [^\r\n]*\r?\n)*data: ([^\r\n]*)\r?\n\r?\n")
_BODY_HEADERS = frozenset((b"content-type", b"content-length"))


class LargeAnswers:
    """Wraps an SDK application that answers with events. A response that would be a single event
    above `EVENT_BYTES` is sent as JSON, if the client accepts JSON; the head of a stream is
    therefore delayed until the first event or comment."""

    def __init__(self, app: Asgi) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request."""
        accept = Headers(scope=scope).get("accept", "")
        if scope["method"] != "POST" or not re.search(r"application/(json|\*)|\*/\*", accept):
            await self._app(scope, receive, send)
            return
        head: Message | None = None
        is_answered = False

        async def forward(message: Message) -> None:
            nonlocal head, is_answered
            if is_answered:
                # The end of a stream whose only event was sent as JSON.
                return
            if _begins_stream(message):
                head = message
                return
            if head and (data := _large_response(message.get("body", b""))):
                is_answered = True
                headers = [pair for pair in head["headers"] if pair[0].lower() not in _BODY_HEADERS]
                await respond(send, 200, data, headers)
                return
            if head:
                await send(head)
                head = None
            await send(message)

        await self._app(scope, receive, forward)
        if head and not is_answered:
            await send(head)


def _begins_stream(message: Message) -> bool:
    if message["type"] != "http.response.start" or message["status"] != 200:
        return False
    return Headers(raw=message["headers"]).get("content-type", "").startswith("text/event-stream")


def _large_response(chunk: bytes) -> bytes | None:
    """The response in a chunk that is a single large event; None for other chunks."""
    if len(chunk) <= EVENT_BYTES or not (event := _EVENT.fullmatch(chunk)):
        return None
    message = parse_json_body(event[1])
    is_response = isinstance(message, dict) and ("result" in message or "error" in message)
    return event[1] if is_response else None


LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})  # Names of the loopback host

_ALL_INTERFACES = frozenset({"0.0.0.0", "::", ""})


class OriginCheck:
    """Checks the headers of one server by the settings; loopback names are always allowed."""

    def __init__(self, settings: ServerSettings) -> None:
        self._any_host = "*" in settings.allowed_hosts
        self._hosts = LOOPBACK | {name.lower() for name in settings.allowed_hosts}
        self._origins = frozenset(name.lower().rstrip("/") for name in settings.allowed_origins)
        self._allows_addresses = settings.host in _ALL_INTERFACES
        if not self._allows_addresses:
            self._hosts |= {settings.host.lower()}
        self.allows_host = lru_cache(maxsize=256)(self._allows_host)

    def _allows_host(self, header: str) -> bool:
        """True if the `Host` header names this server; cached as `allows_host`."""
        host = header.lower()
        name = _host_name(host)
        if not name:
            return False
        if self._any_host or host in self._hosts or name in self._hosts:
            return True
        return self._allows_addresses and _is_ip_address(name)

    def allows_origin(self, origin: str, host: str) -> bool:
        """True if a page of the origin may call; the server's own host is allowed."""
        origin = origin.lower()
        if origin in self._origins or "*" in self._origins:
            return True
        try:
            parts = urlsplit(origin)
        except ValueError:
            return False
        if parts.scheme not in ("http", "https"):
            return False
        return parts.netloc == host.lower() or _host_name(parts.netloc) in LOOPBACK


def _host_name(authority: str) -> str:
    """The host of `host:port`, without brackets; `""` if malformed."""
    if any(character in authority for character in "@/\\?# \t"):
        return ""
    try:
        parts = urlsplit(f"//{authority}")
        _ = parts.port
    except ValueError:
        return ""
    return parts.hostname or ""


def _is_ip_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


PATHS = ("/mcp", "/mcp/")  # Paths of the MCP endpoint
HEADER_MISMATCH = -32020  # MCP code for headers that contradict the body

_REVISION = b"mcp-protocol-version"
_REVISION_KEY = "io.modelcontextprotocol/protocolVersion"
_MESSAGE_KEYS = ("method", "result", "error")
_ZERO_QUALITY = re.compile(r"q\s*=\s*0(\.0*)?")
_ALLOW = ((b"allow", b"POST"),)
_ACCEPT_BOTH = b"application/json, text/event-stream"


@dataclass(frozen=True)
class TransportGuard:
    """The ASGI application in front of the SDK's two applications, for JSON and for events."""

    json_app: Asgi
    event_app: Asgi
    guard: OriginCheck
    limit: int
    has_sessions: bool = False

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        """Answers one HTTP request."""
        if scope["path"] not in PATHS:
            return respond(send, 404, rpc_error("There is nothing here; MCP is at /mcp"))
        # httptools keeps blanks around header values, which are not part of the value (RFC 9110,
        # 5.5).
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
            # Without sessions there is no stream for GET and no session for DELETE.
            return respond(send, 405, headers=_ALLOW)
        return self._post(scope, headers, receive, send)

    async def _post(
        self, scope: Scope, headers: Mapping[bytes, bytes], receive: Receive, send: Send
    ) -> None:
        try:
            raw = await read_body(headers.get(b"content-length", b""), receive, self.limit)
        except BodyTooLarge:
            await respond(send, 413, rpc_error(f"A message holds at most {self.limit} bytes"))
            return
        scope = with_body(scope, raw)
        content = body_of(scope).content
        if not isinstance(content, dict) and raw.lstrip()[:1] == b"[":
            await self._batch(content, scope, headers, send)
        elif error := message_error(content):
            await respond(send, 400, error)
        elif not _header_matches_revision(content, headers.get(_REVISION)):
            # The SDK would treat the message as an older revision and answer accordingly.
            message = "The header MCP-Protocol-Version must name the revision of the body"
            await respond(send, 400, rpc_error(message, HEADER_MISMATCH, content.get("id")))
        else:
            app, scope = self._choose_app(scope, headers, content)
            await app(scope, replaying(raw, receive), send)

    async def _batch(
        self, messages: Json, scope: Scope, headers: Mapping[bytes, bytes], send: Send
    ) -> None:
        """Passes each message to the SDK separately; sends the responses together, in order."""
        if not isinstance(messages, list):
            await respond(send, 400, rpc_error("Parse error", -32700))
            return
        if _header_text(headers.get(_REVISION)) not in REVISIONS:
            await respond(send, 400, rpc_error("This revision of MCP has no batches"))
            return
        if not 0 < len(messages) <= MAX_BATCH_MESSAGES:
            await respond(send, 400, rpc_error(f"A batch holds 1 to {MAX_BATCH_MESSAGES} messages"))
            return
        json_scope = with_headers(scope, {b"accept": b"application/json"})
        answers: list[Json] = [None] * len(messages)

        async def answer_message(index: int) -> None:
            answers[index] = await _answer(self.json_app, messages[index], json_scope)

        async with anyio.create_task_group() as tasks:
            for index in range(len(messages)):
                tasks.start_soon(answer_message, index)
        responses = [answer for answer in answers if answer is not None]
        await (respond(send, 200, responses) if responses else respond(send, 202))

    def _choose_app(
        self, scope: Scope, headers: Mapping[bytes, bytes], content: Json
    ) -> tuple[Asgi, Scope]:
        """Chooses events for clients that accept events, otherwise JSON. Notifications and client
        responses of a session always go to the event-stream app."""
        if self.has_sessions and _is_one_way(content) and headers.get(b"mcp-session-id"):
            return self.event_app, with_headers(scope, {b"accept": _ACCEPT_BOTH})
        accept = _header_text(headers.get(b"accept")) or "*/*"
        ranges = _accepted_ranges(accept)
        if not ranges and "application/json" not in accept:
            # An `Accept` header with only exclusions is treated as `*/*`.
            ranges = ("*/*",)
        if "text/event-stream" in ranges:
            return self.event_app, scope
        if any(kind in ranges for kind in ("*/*", "application/json", "application/*")):
            return self.json_app, with_headers(scope, {b"accept": b"application/json"})
        return self.event_app, with_headers(scope, {b"accept": ", ".join(ranges).encode()})


async def respond_disabled(scope: Scope, receive: Receive, send: Send) -> None:
    """The application of a disabled server: 404 for every path except probes, which are answered
    earlier."""
    await respond(send, 404, {"error": "not_found"})


@lru_cache(maxsize=256)
def _accepted_ranges(header: str) -> tuple[str, ...]:
    """The accepted media ranges; `q=0` excludes a range.
    https://www.rfc-editor.org/rfc/rfc9110#section-12.5.1"""
    ranges = []
    for entry in header.lower().split(","):
        media_range, *parameters = (part.strip() for part in entry.split(";"))
        if not any(_ZERO_QUALITY.fullmatch(parameter) for parameter in parameters):
            ranges.append(media_range)
    return tuple(ranges)


def message_error(message: Json) -> Json:
    """The JSON-RPC error for JSON that is neither a request, a notification nor a response, or has
    an invalid id; None for a message, and for None. The SDK would answer -32602, the code for
    invalid parameters of a known method."""
    if has_invalid_id(message):
        return rpc_error(INVALID_ID)
    is_message = isinstance(message, dict) and not message.keys().isdisjoint(_MESSAGE_KEYS)
    return None if is_message or message is None else rpc_error("This is no JSON-RPC message")


def _is_one_way(message: Json) -> bool:
    """True for a message without a response: a notification or a response."""
    return isinstance(message, dict) and not message.keys() >= {"method", "id"}


def _header_matches_revision(message: Json, header: bytes | None) -> bool:
    """True if the header names the revision in the body, or the body names no revision."""
    try:
        revision = message["params"]["_meta"][_REVISION_KEY]
    except (KeyError, TypeError, IndexError):
        return True
    return bool(_header_text(header) == revision)


def _header_text(header: bytes | None) -> str | None:
    return None if header is None else header.decode("latin-1")
