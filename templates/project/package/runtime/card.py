"""The card of this very server: what it answers whoever asks it, in the form that registries take."""

from __future__ import annotations

import json
from typing import Any

from .http import Asgi, Message, Scope

REVISION = "2025-11-25"
"""The revision whose words the card has."""

_LISTS = {
    "tools": ("tools", "tools/list"),
    "resources": ("resources", "resources/list"),
    "resourceTemplates": ("resources", "resources/templates/list"),
    "prompts": ("prompts", "prompts/list"),
}
"""The capability behind each list of the card, and the method that gives it."""

_SELDOM = "resourceTemplates"
"""The list that a card only has with something in it."""

_HEADERS = {
    "host": "localhost",
    "content-type": "application/json",
    "accept": "application/json",
    "mcp-protocol-version": REVISION,
}


async def card_of(app: Asgi, address: str) -> dict[str, Any]:
    """The card of the server that the application is, reached at `address`: what nobody in particular
    is told. Raises `LookupError` for a server that does not answer."""
    client = {"name": "registration", "version": "1"}
    asked = {"protocolVersion": REVISION, "capabilities": {}, "clientInfo": client}
    opened = await _result(app, "initialize", asked)
    card = {
        "mcpVersion": opened["protocolVersion"],
        "serverInfo": opened["serverInfo"],
        "endpoints": {"streamableHttp": address},
        "capabilities": opened["capabilities"],
    }
    for key, (capability, method) in _LISTS.items():
        declared = capability in opened["capabilities"]
        entries = await _entries(app, method, key) if declared else []
        if entries or key != _SELDOM:
            card[key] = entries
    if instructions := opened.get("instructions"):
        card["instructions"] = instructions
    return card


async def _entries(app: Asgi, method: str, key: str) -> list[Any]:
    """All pages of a list."""
    page = await _result(app, method, {})
    entries = list(page[key])
    while cursor := page.get("nextCursor"):
        page = await _result(app, method, {"cursor": cursor})
        entries += page[key]
    return entries


async def _result(app: Asgi, method: str, params: dict[str, Any]) -> dict[str, Any]:
    """The result of a request that never leaves the process."""
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    answer = json.loads(await _answered(app, json.dumps(message).encode()) or b"null")
    if not isinstance(answer, dict) or "result" not in answer:
        raise LookupError(f"the server does not answer {method}")
    result: dict[str, Any] = answer["result"]
    return result


async def _answered(app: Asgi, body: bytes) -> bytes:
    """The body of the answer to a message."""
    headers = {**_HEADERS, "content-length": str(len(body))}
    scope: Scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "POST",
        "scheme": "http",
        "path": "/mcp",
        "raw_path": b"/mcp",
        "root_path": "",
        "query_string": b"",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        "client": ("127.0.0.1", 0),
        "server": ("localhost", 80),
    }
    sent = bytearray()
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> Message:
        return waiting.pop() if waiting else {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        sent.extend(message.get("body", b""))

    await app(scope, receive, send)
    return bytes(sent)
