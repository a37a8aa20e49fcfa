"""Answers that are too large for an event, sent as plain JSON.

The official client refuses an event of more than 1,048,576 bytes, and reads JSON of any size. A server
may answer each request with either, and a client that sends requests reads both.
https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#sending-messages-to-the-server
"""

from __future__ import annotations

import re

from .asgi import Asgi, Message, Receive, Scope, Send, header_value, parse_json_body

EVENT_BYTES = 1_000_000
"""Bytes of an event at most; the rest up to the client's limit is for its framing."""

_EVENT = re.compile(rb"(?:(?:event|id): [^\r\n]*\r?\n)*data: ([^\r\n]*)\r?\n\r?\n")
_EVENTS = b"text/event-stream"
_JSON = b"application/json"
_OWN = frozenset((b"content-type", b"content-length"))


class LargeAnswers:
    """One of the SDK's applications that answer with events. An answer that would be a single event of
    more than `EVENT_BYTES` is sent as JSON, to a client that takes JSON; the head of a stream is
    therefore sent together with its first event or comment."""

    def __init__(self, app: Asgi) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request."""
        accepted = header_value(scope, b"accept") or ""
        if scope["method"] != "POST" or not re.search(r"application/(json|\*)|\*/\*", accepted):
            await self._app(scope, receive, send)
            return
        held = _HeldStream(send)
        await self._app(scope, receive, held)
        await held.release()


class _HeldStream:
    """Sends on what an application sends, the head of a stream only with the first chunk behind it."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._head: Message | None = None
        self._is_answered = False

    async def __call__(self, message: Message) -> None:
        if self._is_answered:
            # The end of the stream whose only event was sent as JSON.
            return
        if message["type"] == "http.response.start" and _is_stream(message):
            self._head = message
            return
        data = _answer_in(message.get("body", b"")) if self._head else None
        if self._head is None or data is None:
            await self.release()
            await self._send(message)
            return
        self._is_answered = True
        kept = [pair for pair in self._head["headers"] if pair[0].lower() not in _OWN]
        headers = [*kept, (b"content-type", _JSON), (b"content-length", b"%d" % len(data))]
        await self._send({**self._head, "headers": headers})
        await self._send({"type": "http.response.body", "body": data})

    async def release(self) -> None:
        """Sends the head that is held, if there is one."""
        if self._head is not None and not self._is_answered:
            head, self._head = self._head, None
            await self._send(head)


def _is_stream(start: Message) -> bool:
    headers = {name.lower(): value for name, value in start["headers"]}
    kind: bytes = headers.get(b"content-type", b"")
    return bool(start["status"] == 200) and kind.startswith(_EVENTS)


def _answer_in(chunk: bytes) -> bytes | None:
    """The answer that a chunk holds as one large event; None if the chunk is anything else."""
    if len(chunk) <= EVENT_BYTES or not (found := _EVENT.fullmatch(chunk)):
        return None
    message = parse_json_body(found[1])
    is_answer = isinstance(message, dict) and ("result" in message or "error" in message)
    return found[1] if is_answer else None
