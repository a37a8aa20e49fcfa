"""JSON-RPC batches, which revision 2025-03-26 alone asks servers to receive.

Source: https://modelcontextprotocol.io/specification/2025-03-26/basic#batching
"""

from __future__ import annotations

import json
from collections.abc import Sequence

import anyio

from .asgi import (
    ODD_ID,
    Asgi,
    Message,
    Scope,
    Send,
    has_odd_id,
    parse_json_body,
    replaying,
    respond,
    rpc_error,
    with_body,
    with_headers,
)
from .tool import Json

LONGEST = 50
"""How many messages one batch may hold."""

REVISIONS = (None, "2025-03-26")
"""The `MCP-Protocol-Version` headers that a batch may come with; none means 2025-03-26."""


async def answer_batch(app: Asgi, messages: Sequence[Json], scope: Scope, send: Send) -> None:
    """Plays each message to the app by itself and sends the answers together, in their order."""
    if not 0 < len(messages) <= LONGEST:
        await respond(send, 400, rpc_error(f"A batch holds 1 to {LONGEST} messages"))
        return
    answers: list[Json] = [None] * len(messages)

    async def play(index: int) -> None:
        answers[index] = await _answer(app, messages[index], scope)

    async with anyio.create_task_group() as tasks:
        for index in range(len(messages)):
            tasks.start_soon(play, index)
    owed = [answer for answer in answers if answer is not None]
    await (respond(send, 200, owed) if owed else respond(send, 202))


async def _answer(app: Asgi, message: Json, scope: Scope) -> Json:
    """The answer to one message, None for a notification."""
    if not isinstance(message, dict):
        return rpc_error("A message is an object")
    if has_odd_id(message):
        return rpc_error(ODD_ID)
    if message.get("method") == "initialize":
        return rpc_error("initialize must not be in a batch", id=message.get("id"))
    body = json.dumps(message).encode()
    counted = with_headers(scope, {b"content-length": str(len(body)).encode()})
    single = with_body(counted, body)
    received = bytearray()

    async def collect(part: Message) -> None:
        received.extend(part.get("body", b""))

    await app(single, replaying(body, _gone), collect)
    if not received:
        return None
    answer = parse_json_body(bytes(received))
    # What is wrong with the request as a whole is said in words alone.
    return answer or rpc_error(received.decode("utf-8", "replace"), id=message.get("id"))


async def _gone() -> Message:
    return {"type": "http.disconnect"}
