"""What was sent on the event streams of one session, so that its client can take one up again.

https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#resumability-and-redelivery
"""

from __future__ import annotations

from dataclasses import dataclass

from mcp.server.streamable_http import EventCallback, EventMessage, EventStore
from mcp_types import JSONRPCMessage

MOST_EVENTS = 1000
"""How many events a session remembers."""

MOST_BYTES = 4 * 1024 * 1024
"""How large all of them may be; the oldest give way."""


@dataclass(frozen=True)
class _Event:
    """One event of a stream; one without a message only marks a place in it."""

    stream: str
    message: JSONRPCMessage | None
    bytes: int


class SessionEventStore(EventStore):
    """The last events of one session, by their ids in the order in which they were sent."""

    def __init__(self) -> None:
        self._events: dict[str, _Event] = {}
        self._number = 0
        self._bytes = 0

    async def store_event(self, stream_id: str, message: JSONRPCMessage | None) -> str:
        """The id of an event, which is remembered."""
        size = len(message.model_dump_json()) if message else 0
        self._number += 1
        self._events[str(self._number)] = _Event(stream_id, message, size)
        self._bytes += size
        while len(self._events) > MOST_EVENTS or self._bytes > MOST_BYTES:
            self._bytes -= self._events.pop(next(iter(self._events))).bytes
        return str(self._number)

    async def replay_events_after(
        self, last_event_id: str, send_callback: EventCallback
    ) -> str | None:
        """The stream of an event, once what was sent on it since then is sent again; None for an event
        that is not, or no longer, known."""
        if last_event_id not in self._events:
            return None
        stream = self._events[last_event_id].stream
        for id, event in [*self._events.items()]:
            if int(id) > int(last_event_id) and event.stream == stream and event.message:
                await send_callback(EventMessage(event.message, id))
        return stream
