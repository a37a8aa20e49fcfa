"""The server card of this server, collected by in-process requests, in the format of registries."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from ..server.asgi import Asgi, Message, Scope

REVISION = "2025-11-25"
"""The protocol revision of the card."""

_LISTS = {
    "tools": ("tools", "tools/list"),
    "resources": ("resources", "resources/list"),
    "resourceTemplates": ("resources", "resources/templates/list"),
    "prompts": ("prompts", "prompts/list"),
}
"""Capability and method of each list of the card."""

_OMITTED_IF_EMPTY = "resourceTemplates"
"""The list that is omitted when empty."""

_HEADERS = {
    "host": "localhost",
    "content-type": "application/json",
    "accept": "application/json",
    "mcp-protocol-version": REVISION,
}

_EVENTS = "application/json, text/event-stream"
"""The `Accept` header that lets the server open a session and offer more capabilities."""


async def app_card(app: Asgi, address: str) -> dict[str, Any]:
    """The card of the server at `address`, as seen by an anonymous client. Raises `LookupError` if
    the server does not answer."""
    client = {"name": "registration", "version": "1"}
    params = {"protocolVersion": REVISION, "capabilities": {}, "clientInfo": client}
    initialized = await _initialize(app, params)
    card = {
        "mcpVersion": initialized["protocolVersion"],
        "serverInfo": initialized["serverInfo"],
        "endpoints": {"streamableHttp": address},
        "capabilities": initialized["capabilities"],
    }
    for key, (capability, method) in _LISTS.items():
        declared = capability in initialized["capabilities"]
        entries = await _list_all(app, method, key) if declared else []
        if entries or key != _OMITTED_IF_EMPTY:
            card[key] = entries
    if instructions := initialized.get("instructions"):
        card["instructions"] = instructions
    return card


async def _initialize(app: Asgi, params: dict[str, Any]) -> dict[str, Any]:
    """The result of `initialize`. Closes the session at once."""
    message = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}
    headers, body = await _send_in_process(
        app, "POST", json.dumps(message).encode(), accept=_EVENTS
    )
    if session := headers.get("mcp-session-id"):
        await _send_in_process(app, "DELETE", b"", **{"mcp-session-id": session})
    if headers.get("content-type", "").startswith("text/event-stream"):
        lines = (line.removeprefix(b"data:") for line in body.split(b"\n") if b"data:" in line[:5])
        body = next((line for line in lines if line.strip()), b"")
    return _response_body(body, "initialize")


async def _list_all(app: Asgi, method: str, key: str) -> list[Any]:
    """All pages of a list."""
    page = await _request_in_process(app, method, {})
    entries = list(page[key])
    while cursor := page.get("nextCursor"):
        page = await _request_in_process(app, method, {"cursor": cursor})
        entries += page[key]
    return entries


async def _request_in_process(app: Asgi, method: str, params: dict[str, Any]) -> dict[str, Any]:
    """The result of an in-process request."""
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    _, body = await _send_in_process(app, "POST", json.dumps(message).encode())
    return _response_body(body, method)


def _response_body(body: bytes, method: str) -> dict[str, Any]:
    """The result in a response body."""
    answer = json.loads(body or b"null")
    if not isinstance(answer, dict) or "result" not in answer:
        raise LookupError(f"the server does not answer {method}")
    result: dict[str, Any] = answer["result"]
    return result


async def _send_in_process(
    app: Asgi, method: str, body: bytes, **extra_headers: str
) -> tuple[dict[str, str], bytes]:
    """Headers and body of the response to an in-process request."""
    headers = {**_HEADERS, "content-length": str(len(body)), **extra_headers}
    scope: Scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": "/mcp",
        "raw_path": b"/mcp",
        "root_path": "",
        "query_string": b"",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        "client": ("127.0.0.1", 0),
        "server": ("localhost", 80),
    }
    response_headers: dict[str, str] = {}
    response_body = bytearray()
    messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    response_ended = asyncio.Event()

    async def receive() -> Message:
        if messages:
            return messages.pop()
        await response_ended.wait()
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        response_headers.update(
            (name.decode().lower(), value.decode()) for name, value in message.get("headers", ())
        )
        response_body.extend(message.get("body", b""))
        if message["type"] == "http.response.body" and not message.get("more_body"):
            response_ended.set()

    await app(scope, receive, send)
    return response_headers, bytes(response_body)
