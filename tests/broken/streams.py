"""Servers that answer with event streams, with and without defects."""

from __future__ import annotations

import itertools
import json
from typing import Any

from base_server import LEGACY, MODERN, ConformingServer, ReceivedRequest, Reply
from builder import breaks
from sessions import Sessions


def as_stream(reply: Reply, hold: float = 0.0, head: str = "event: message\n") -> Reply:
    """The reply as an event stream; `head` are further lines of the event."""
    if reply.headers.get("Content-Type") != "application/json" or reply.status != 200:
        return reply
    body = head.encode() + b"data: " + reply.body + b"\n\n"
    headers = {**reply.headers, "Content-Type": "text/event-stream", "X-Accel-Buffering": "no"}
    return Reply(200, body, headers, hold)


class Streaming(ConformingServer):
    """A conforming server that answers with event streams if the client accepts them."""

    def answer(self, request: ReceivedRequest) -> Reply:
        reply = super().answer(request)
        return self.stream(request, reply) if self.reads_streams(request) else reply

    def reads_streams(self, request: ReceivedRequest) -> bool:
        """True if the client accepts event streams."""
        return "text/event-stream" in request.headers.get("accept", "")

    def stream(self, request: ReceivedRequest, reply: Reply) -> Reply:
        """The answer as an event stream."""
        return as_stream(reply)


class Resumable(Streaming):
    """A conforming server with resumable streams."""

    def __init__(self) -> None:
        super().__init__()
        self.numbers = itertools.count(1)

    def event_id(self) -> str:
        """The id of a new event."""
        return f"event-{next(self.numbers)}"

    def stream(self, request: ReceivedRequest, reply: Reply) -> Reply:
        stream_reply = as_stream(reply, head=f"event: message\nid: {self.event_id()}\n")
        if stream_reply is not reply:
            stream_reply.body = self.priming() + stream_reply.body
        return stream_reply

    def priming(self) -> bytes:
        """The first event of a stream, with an id and no data."""
        return f"id: {self.event_id()}\ndata:\n\n".encode()


class Talking(Streaming):
    """A server that sends additional messages with the answers of one method."""

    method = "ping"

    def stream(self, request: ReceivedRequest, reply: Reply) -> Reply:
        stream_reply = super().stream(request, reply)
        if stream_reply is reply:
            return reply
        message = json.loads(request.body)
        if isinstance(message, dict) and self.gets_extra_messages(message):
            for more in reversed(self.extra(message)):
                stream_reply.body = (
                    b"data: " + json.dumps(more).encode() + b"\n\n" + stream_reply.body
                )
        return stream_reply

    def gets_extra_messages(self, message: dict[str, Any]) -> bool:
        """True if the answer to this request gets additional messages."""
        return message.get("method") == self.method

    def extra(self, message: dict[str, Any]) -> list[dict[str, Any]]:
        """The additional messages."""
        return []


def notification(method: str, **params: Any) -> dict[str, Any]:
    """A notification."""
    return {"jsonrpc": "2.0", "method": method, "params": params}


@breaks("event-stream-closes")
class NeverHangsUp(ConformingServer):
    def answer(self, request: ReceivedRequest) -> Reply:
        reply = super().answer(request)
        return as_stream(reply, 5.0) if b'"id":"stream"' in request.body else reply


@breaks("event-name-message")
class OddlyNamedEvents(Streaming):
    def stream(self, request: ReceivedRequest, reply: Reply) -> Reply:
        return as_stream(reply, head="event: response\n")


@breaks("event-ids-unique")
class CountsAnew(Resumable):
    def stream(self, request: ReceivedRequest, reply: Reply) -> Reply:
        self.numbers = itertools.count(1)
        return super().stream(request, reply)


class Replaying(Resumable, Sessions):
    """A conforming server that reports progress, and replays the later events of a stream."""

    def __init__(self) -> None:
        super().__init__()
        self.streams: list[list[tuple[str, bytes]]] = []

    def stream(self, request: ReceivedRequest, reply: Reply) -> Reply:
        if request.method != "POST" or reply.headers.get("Content-Type") != "application/json":
            return reply
        messages = [reply.body]
        message = json.loads(request.body) if reply.status == 200 else None
        params = message.get("params") if isinstance(message, dict) else None
        token = params.get("_meta", {}).get("progressToken") if isinstance(params, dict) else None
        if token:
            progress = notification("notifications/progress", progressToken=token, progress=1)
            messages.insert(0, json.dumps(progress).encode())
        events = [(self.event_id(), message) for message in messages]
        self.streams.append(events)
        stream_reply = as_stream(reply)
        if stream_reply is not reply:
            stream_reply.body = self.priming() + b"".join(map(self.event, events))
        return stream_reply

    def event(self, event: tuple[str, bytes]) -> bytes:
        """The lines of an event."""
        return f"event: message\nid: {event[0]}\ndata: ".encode() + event[1] + b"\n\n"

    def get(self, request: ReceivedRequest) -> Reply:
        if request.path != "/mcp":
            return Reply(404)
        if request.headers.get("mcp-protocol-version", MODERN) not in (MODERN, *LEGACY):
            return Reply(400)
        last = request.headers.get("last-event-id")
        body = b"".join(map(self.event, self.events_after(last)))
        return Reply(200, body or b":\n\n", {"Content-Type": "text/event-stream"}, hold=1.0)

    def events_after(self, last: str | None) -> list[tuple[str, bytes]]:
        """The events after the event `last` of the same stream."""
        for events in self.streams:
            ids = [id for id, _ in events]
            if last in ids:
                return events[ids.index(last) + 1 :]
        return []


@breaks("resumed-stream-own")
class ReplaysEverything(Replaying):
    def events_after(self, last: str | None) -> list[tuple[str, bytes]]:
        return [event for events in self.streams for event in events] if last else []


@breaks("resumed-stream-own", warned=True)
class RepeatsTheLastEvent(Replaying):
    def events_after(self, last: str | None) -> list[tuple[str, bytes]]:
        return next((events for events in self.streams if last in dict(events)), [])


@breaks("get-stream-no-response")
class AnswersOnTheStream(Replaying):
    def events_after(self, last: str | None) -> list[tuple[str, bytes]]:
        return super().events_after(last) if last else [("event-0", b'{"id": 1, "result": {}}')]


@breaks("event-stream-primed")
class Unprimed(Resumable):
    def priming(self) -> bytes:
        return b""


@breaks("event-stream-unbuffered")
class Buffered(Streaming):
    def stream(self, request: ReceivedRequest, reply: Reply) -> Reply:
        stream_reply = as_stream(reply)
        stream_reply.headers.pop("X-Accel-Buffering", None)
        return stream_reply


@breaks("accept-json-alone")
class StreamsToEveryone(Streaming):
    def reads_streams(self, request: ReceivedRequest) -> bool:
        return True


@breaks("answered-once")
class AnswersTwice(Talking):
    def extra(self, message: dict[str, Any]) -> list[dict[str, Any]]:
        return [{"jsonrpc": "2.0", "id": "another", "result": {}}]


@breaks("client-capabilities-respected")
class AsksTheUser(Talking):
    def extra(self, message: dict[str, Any]) -> list[dict[str, Any]]:
        return [notification("elicitation/create", message="Who are you?") | {"id": "ask"}]


@breaks("progress-only-when-asked")
class ProgressForAll(Talking):
    def extra(self, message: dict[str, Any]) -> list[dict[str, Any]]:
        return [notification("notifications/progress", progressToken="mine", progress=1)]


@breaks("messages-match-schema")
class NumberedMethods(Talking):
    def extra(self, message: dict[str, Any]) -> list[dict[str, Any]]:
        return [notification("ping") | {"method": 7}]


@breaks("tool-call-answered", "tool-result-every-revision", "bad-arguments-refused")
class EventsInLatin1(Resumable):
    def stream(self, request: ReceivedRequest, reply: Reply) -> Reply:
        stream_reply = super().stream(request, reply)
        stream_reply.body = stream_reply.body.replace(b'"text": "', b'"text": "\xfc')
        return stream_reply


@breaks("progress-token-taken")
class RefusesNumberTokens(ConformingServer):
    def single(self, request: ReceivedRequest, message: Any) -> Reply:
        if isinstance(message, dict) and b'"progressToken":7000002' in request.body:
            return Reply(400)
        return super().single(request, message)


@breaks("progress-goes-up")
class CountsDown(Talking):
    method = "tools/call"

    def extra(self, message: dict[str, Any]) -> list[dict[str, Any]]:
        token = message["params"].get("_meta", {}).get("progressToken")
        messages = [notification("notifications/progress", progressToken=token, progress=1)] * 2
        return messages if token else []


@breaks("log-messages-allowed")
class UndeclaredLog(Talking):
    def extra(self, message: dict[str, Any]) -> list[dict[str, Any]]:
        return [notification("notifications/message", level="info", data="pinged")]
