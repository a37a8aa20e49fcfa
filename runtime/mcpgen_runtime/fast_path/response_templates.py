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
_LARGE = 256 * 1024


def utf8_json(value: Any) -> bytes:
    """JSON as the SDK encodes it for clients of older revisions."""
    return to_json(value, inf_nan_mode="null")


@dataclass(frozen=True, slots=True)
class ResponseTemplate:
    """A response in pieces: before the id, before the first item, between items, after the last
    item, and after a final value. `counted` is true if the response has a content length."""

    headers: tuple[tuple[bytes, bytes], ...]
    counted: bool
    head: bytes
    before: bytes
    between: bytes
    after: bytes
    tail: bytes = b""

    async def send(self, send: Send, id: bytes, listed: Sequence[bytes], last: bytes = b"") -> None:
        """Sends the response with the id and contents."""
        contents = self.between.join(listed)
        start, end = self.head + id + self.before, self.after + last + self.tail
        # Large contents are not concatenated: slow clients then share one copy in memory.
        pieces = [start, contents, end] if len(contents) >= _LARGE else [start + contents + end]
        headers = [*self.headers]
        if self.counted:
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
    sent: list[Message] = []

    async def keep(part: Message) -> None:
        sent.append(part)

    begun = asyncio.get_running_loop().create_future()
    begun.set_result(result)
    body = ascii_json({**message, "id": _ID})
    await app({**scope, INFLIGHT_KEY: lambda context: begun}, replaying(body, _nothing), keep)
    pieces = _split_at_marks(
        b"".join(part.get("body", b"") for part in sent), [encode(_ID), *marks]
    )
    if pieces is None or sent[0]["status"] != 200:
        return None
    headers = tuple(pair for pair in sent[0]["headers"] if pair[0] != _LENGTH)
    return ResponseTemplate(headers, len(headers) < len(sent[0]["headers"]), *pieces)


def _split_at_marks(body: bytes, marks: Sequence[bytes]) -> list[bytes] | None:
    """The pieces around the marks, None unless all marks occur in this order."""
    pieces = []
    for mark in marks:
        piece, found, body = body.partition(mark)
        if not found:
            return None
        pieces.append(piece)
    return [*pieces, body]


async def _nothing() -> Message:
    """Never returns: the simulated client stays connected and sends nothing more."""
    never: asyncio.Future[Message] = asyncio.get_running_loop().create_future()
    return await never
