"""Responses of the SDK, captured once per kind of request and filled with ids and contents."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic_core import to_json

from ..server.asgi import INFLIGHT_KEY, Asgi, Message, Scope, Send, ascii_json, replaying

_ID = "the id – of a mould"
"""The sample id; the non-ASCII character shows the SDK's encoding of such text."""

Encode = Callable[[Any], bytes]
"""Encodes a value as JSON."""

_LENGTH = b"content-length"
_MAX_JOINED_BYTES = 256 * 1024


def utf8_json(value: Any) -> bytes:
    """JSON as the SDK encodes it for clients of older revisions."""
    return to_json(value, inf_nan_mode="null")


@dataclass(frozen=True, slots=True)
class ResponseTemplate:
    """A response in pieces: before the id, before the first item, between items, after the last
    item, and after a final value. `has_length` is true if the response has a content length."""

    headers: tuple[tuple[bytes, bytes], ...]
    has_length: bool
    head: bytes
    before: bytes
    between: bytes
    after: bytes
    tail: bytes = b""

    async def send(self, send: Send, id: bytes, items: Sequence[bytes], last: bytes = b"") -> None:
        """Sends the response with the id and contents."""
        contents = self.between.join(items)
        start, end = self.head + id + self.before, self.after + last + self.tail
        # Large contents are not concatenated: slow clients then share one copy in memory.
        pieces = (
            [start, contents, end]
            if len(contents) >= _MAX_JOINED_BYTES
            else [start + contents + end]
        )
        headers = [*self.headers]
        if self.has_length:
            headers.append((_LENGTH, b"%d" % sum(map(len, pieces))))
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        final = pieces.pop()
        for piece in pieces:
            await send({"type": "http.response.body", "body": piece, "more_body": True})
        await send({"type": "http.response.body", "body": final})


async def capture_template(
    app: Asgi,
    scope: Scope,
    message: dict[str, Any],
    result: Any,
    encode: Encode,
    marks: Sequence[bytes],
) -> ResponseTemplate | None:
    """Captures the template for requests like `message`, None on failure. The app gets a sample id
    and a sample result whose `marks`, in encoded form, are two list items and an optional final
    value."""
    parts: list[Message] = []

    async def collect(part: Message) -> None:
        parts.append(part)

    outcome = asyncio.get_running_loop().create_future()
    outcome.set_result(result)
    body = ascii_json({**message, "id": _ID})
    await app(
        {**scope, INFLIGHT_KEY: lambda context: outcome}, replaying(body, _never_receive), collect
    )
    pieces = _split_at_marks(
        b"".join(part.get("body", b"") for part in parts), [encode(_ID), *marks]
    )
    if pieces is None or parts[0]["status"] != 200:
        return None
    headers = tuple(pair for pair in parts[0]["headers"] if pair[0] != _LENGTH)
    return ResponseTemplate(headers, len(headers) < len(parts[0]["headers"]), *pieces)


def _split_at_marks(body: bytes, marks: Sequence[bytes]) -> list[bytes] | None:
    """The pieces around the marks, None unless all marks occur in this order."""
    pieces = []
    for mark in marks:
        piece, separator, body = body.partition(mark)
        if not separator:
            return None
        pieces.append(piece)
    return [*pieces, body]


async def _never_receive() -> Message:
    """Never returns: the simulated client stays connected and sends nothing more."""
    never: asyncio.Future[Message] = asyncio.get_running_loop().create_future()
    return await never
