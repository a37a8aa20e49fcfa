# Copied by mcpgen from mcpgen-runtime; changes belong in hooks.py or mcpgen.toml.
"""Helpers for ASGI messages: headers, bodies and responses."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any, NamedTuple

from pydantic_core import from_json

from ..tool import Json

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Asgi = Callable[[Scope, Receive, Send], Awaitable[None]]

INVALID_REQUEST = -32600
"""JSON-RPC code for an invalid request; https://www.jsonrpc.org/specification#error_object."""

_BODY_KEY = "body"  # ASGI scope key

INFLIGHT_KEY = "inflight"
"""ASGI scope key of a request that `fast_path` began and passes on to the SDK: a function from the SDK's
context to the awaitable result. The handler in `mcp_server` awaits this result in place of a second call."""

_COMPACT = json.JSONEncoder(separators=(",", ":"))


def ascii_json(value: Any) -> bytes:
    """Encodes JSON as the SDK does for clients of `mcp_types.version.MODERN_PROTOCOL_VERSIONS`: in ASCII, without spaces."""
    # An integer is usually the id of a request, for which formatting is faster than the encoder.
    return b"%d" % value if type(value) is int else _COMPACT.encode(value).encode()


class IncomingBody(NamedTuple):
    """The body of a request: `raw` bytes, and the JSON value as `content`, None for invalid JSON and `null`."""

    raw: bytes
    content: Json


class BodyTooLarge(Exception):
    """A request body above the limit."""


def with_headers(scope: Scope, replaced: dict[bytes, bytes]) -> Scope:
    """The scope with headers replaced by name."""
    unchanged = [pair for pair in scope["headers"] if pair[0] not in replaced]
    return {**scope, "headers": [*unchanged, *replaced.items()]}


async def read_body(content_length: bytes, receive: Receive, limit: int) -> bytes:
    """Reads the body of a request of at most `limit` bytes; `content_length` is the header, or `b""`.
    Raises `BodyTooLarge` as early as possible."""
    if content_length.isdigit() and int(content_length) > limit:
        raise BodyTooLarge
    body = bytearray()
    while True:
        message = await receive()
        piece: bytes = message.get("body", b"")
        if len(body) + len(piece) > limit:
            raise BodyTooLarge
        if not message.get("more_body", False):
            return bytes(body + piece) if body else piece
        body += piece


def with_body(scope: Scope, raw: bytes) -> Scope:
    """The scope with the body."""
    return {**scope, _BODY_KEY: IncomingBody(raw, parse_json_body(raw))}


def body_of(scope: Scope) -> IncomingBody:
    """The body in a scope."""
    body: IncomingBody = scope[_BODY_KEY]
    return body


def parse_json_body(raw: bytes) -> Json:
    """The JSON value of a body in UTF-8, UTF-16 or UTF-32, None if invalid."""
    try:
        return from_json(raw)
    except ValueError:
        pass  # `from_json` is faster, but reads only UTF-8 of at most 200 levels.
    try:
        return json.loads(raw)
    except (ValueError, RecursionError):
        return None


def replaying(body: bytes, receive: Receive) -> Receive:
    """A `receive` that first returns a body already read."""
    pending = [body]

    async def replay() -> Message:
        if not pending:
            return await receive()
        return {"type": "http.request", "body": pending.pop(), "more_body": False}

    return replay


async def respond(
    send: Send, status: int, content: Json = b"", headers: Iterable[tuple[bytes, bytes]] = ()
) -> None:
    """Sends a complete response: a value as JSON, bytes that hold JSON, or no content."""
    body = content if isinstance(content, bytes) else ascii_json(content)
    fixed = [(b"content-length", str(len(body)).encode())]
    if body:
        fixed.append((b"content-type", b"application/json"))
    await send({"type": "http.response.start", "status": status, "headers": [*fixed, *headers]})
    await send({"type": "http.response.body", "body": body})


INVALID_ID = "The id of a request must be a string or an integer, not null"
"""The error for an invalid id: the SDK would treat the message as a notification and never
answer."""


def has_invalid_id(message: Json) -> bool:
    """True for a request with an invalid id; the exact type check excludes `bool`."""
    if not isinstance(message, dict) or "method" not in message or "id" not in message:
        return False
    return type(message["id"]) not in (str, int)


def rpc_error(message: str, code: int = INVALID_REQUEST, id: Json = None) -> Json:
    """A JSON-RPC error for the request with the `id`; None if the id is unknown."""
    return {"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}}
