"""Reads an HTTP response within its byte limit and parses the body strictly."""

from __future__ import annotations

import http.client
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from mcpgen.conformance import strict_json
from mcpgen.conformance.deadline_socket import TimedSocket
from mcpgen.conformance.exchange import Fault, FaultKind, HttpExchange
from mcpgen.conformance.sse import EventStream
from mcpgen.conformance.strict_json import Json

CHUNK = 65_536
GRACE = 0.5
"""Seconds an event stream may stay open after its response before `left_open` is set."""


PROGRESS_SECONDS = 10.0
"""Seconds that a progress notification extends the time for a response.

2025-11-25 Lifecycle, Timeouts: the sender MAY reset the clock for a progress notification.
"""

MAX_PROGRESS_SECONDS = 120.0
"""Limit for a response with progress notifications.

2025-11-25 Lifecycle, Timeouts: the sender SHOULD enforce a maximum regardless of progress.
"""


@dataclass(frozen=True, slots=True)
class ProgressWait:
    """Progress notifications with `token` extend the time for a response, up to `latest`.

    `latest` is in monotonic seconds. No notification extends the time if `token` is None.
    """

    token: Json = None
    latest: float = 0.0

    def extended(self, ends: float, messages: Iterable[Json]) -> float:
        """The end of an exchange after `messages`; `ends` is the end before."""
        if self.token is None or not any(self._is_progress(message) for message in messages):
            return ends
        return max(ends, min(time.monotonic() + PROGRESS_SECONDS, self.latest))

    def _is_progress(self, message: Json) -> bool:
        if not isinstance(message, dict) or message.get("method") != "notifications/progress":
            return False
        params = message.get("params")
        return isinstance(params, dict) and params.get("progressToken") == self.token


class ResponseTooLarge(Exception):
    """The answer exceeds the byte limit."""


def read_head(response: http.client.HTTPResponse) -> HttpExchange:
    """Status and headers; repeated headers are joined (RFC 9110 §5.2)."""
    headers: dict[str, str] = {}
    for name, value in response.getheaders():
        name = name.lower()
        headers[name] = f"{headers[name]}, {value}" if name in headers else value
    return HttpExchange(status=response.status, headers=headers)


def read_final_head(response: http.client.HTTPResponse) -> None:
    """Reads the heads of informational responses and the head of the final response.

    RFC 9110 §15.2: a client must parse responses 1xx before the final one, whether expected or not.
    http.client skips 100 alone. 101 is final: the bytes after it belong to another protocol.
    """
    while 100 <= response.status < 200 and response.status != 101:
        # `begin` reads a head only if there is none.
        response.headers = None  # type: ignore[assignment]
        response.begin()


def read_answer(
    response: http.client.HTTPResponse,
    timed: TimedSocket,
    awaits: Json,
    max_bytes: int,
    *,
    event_bytes: int = 0,
    first: bool = False,
    progress: ProgressWait = ProgressWait(),
) -> HttpExchange:
    """Reads and parses the body of `response`.

    `first`: reads an event stream up to the first message. `event_bytes`: limit of an event (0:
    unlimited). `progress` extends the time of an event stream. Raises ResponseTooLarge and the exceptions of http.client.
    """
    head = read_head(response)
    coding = head.headers.get("content-encoding", "identity").strip().lower()
    if coding not in ("", "identity"):
        text = f"the body is encoded as {coding!r}, which was not asked for"
        return _complete_exchange(head, b"", (), Fault(FaultKind.ENCODED, text))
    if head.media_type == "text/event-stream" and response.status == 200:
        return _read_stream(response, timed, head, awaits, max_bytes, event_bytes, first, progress)
    body = b"".join(_body_chunks(response, max_bytes))
    if head.media_type != "application/json" or not body:
        return _complete_exchange(head, body, (), None)
    try:
        return _complete_exchange(head, body, (strict_json.loads(body),), None)
    except ValueError as error:
        return _complete_exchange(head, body, (), Fault(FaultKind.NOT_JSON, str(error)))


def _read_stream(
    response: http.client.HTTPResponse,
    timed: TimedSocket,
    head: HttpExchange,
    awaits: Json,
    max_bytes: int,
    event_bytes: int,
    first: bool,
    progress: ProgressWait,
) -> HttpExchange:
    stream = EventStream()
    chunks: list[bytes] = []
    messages: list[Json] = []
    fault: Fault | None = None
    has_response = False
    try:
        for chunk in _body_chunks(response, max_bytes):
            chunks.append(chunk)
            events = stream.feed(chunk)
            for event in events if event_bytes else ():
                if len(event) > event_bytes:
                    size = f"{len(event):,} bytes, and clients take {event_bytes:,}"
                    raise ResponseTooLarge(f"an event has {size}")
            messages.extend(map(strict_json.loads, events))
            timed.ends = progress.extended(timed.ends, messages[len(messages) - len(events) :])
            if first and messages:
                break
            if events and not has_response and awaits is not None:
                messages_new = tuple(messages[-len(events) :])
                has_response = HttpExchange(messages=messages_new).response(awaits) is not None
                if has_response:
                    timed.ends = min(timed.ends, time.monotonic() + GRACE)
    except ValueError as error:
        fault = Fault(FaultKind.NOT_JSON, f"an event is {error}")
    except TimeoutError:
        if not has_response:
            fault = Fault(FaultKind.TIMEOUT, "the event stream never brought the answer")
    except ResponseTooLarge as error:
        fault = Fault(FaultKind.TOO_LARGE, str(error))
    except http.client.HTTPException:
        fault = Fault(FaultKind.DISCONNECTED, "the event stream broke off")
    left_open = has_response and fault is None and not response.isclosed()
    exchange = _complete_exchange(head, b"".join(chunks), tuple(messages), fault, left_open)
    return replace(exchange, events=tuple(stream.heads))


def _body_chunks(response: http.client.HTTPResponse, max_bytes: int) -> Iterator[bytes]:
    """Yields the body as received. Raises ResponseTooLarge above the limit, IncompleteRead if cut
    short.
    """
    length = 0
    announced = response.length
    while chunk := response.read1(CHUNK):
        length += len(chunk)
        if length > max_bytes:
            raise ResponseTooLarge(f"the answer is larger than {max_bytes:,} bytes")
        yield chunk
    if announced is not None and length < announced:
        raise http.client.IncompleteRead(b"", announced - length)
    if not response.isclosed():
        response.close()


def _complete_exchange(
    head: HttpExchange,
    body: bytes,
    messages: tuple[Json, ...],
    fault: Fault | None,
    left_open: bool = False,
) -> HttpExchange:
    return HttpExchange(head.status, head.headers, body, messages, fault, left_open)
