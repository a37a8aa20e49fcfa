"""A strict, incremental parser for Server-Sent Events.

Source: https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Event:
    """The head of an event: `id` or None, `name` (`""` means `message`), and `empty` for an event
    without data.
    """

    id: str | None
    name: str
    empty: bool


@dataclass(slots=True)
class EventStream:
    """An incremental parser: `feed` takes bytes and gives the data of completed events.

    Events without data (comments, priming events, `retry`) give nothing. `heads` lists all events
    with data or an id, in order.

    Example: `EventStream().feed(b"data: {}\\n\\n")` is `[b"{}"]`.
    """

    heads: list[Event] = field(default_factory=list)
    _pieces: list[bytes] = field(default_factory=list)
    _lines: list[bytes] = field(default_factory=list)
    _fields: dict[bytes, str] = field(default_factory=dict)
    _started: bool = False
    _after_return: bool = False

    def feed(self, chunk: bytes) -> list[bytes]:
        """The data of the events that `chunk` completes, in order."""
        if self._after_return and chunk:
            # The LF belongs to the CR at the end of the chunk before.
            chunk = chunk.removeprefix(b"\n")
            self._after_return = False
        self._after_return |= chunk.endswith(b"\r")
        self._pieces.append(chunk)
        if b"\n" not in chunk and b"\r" not in chunk and self._started:
            # One event may be many megabytes: its pieces are joined once, when the line ends.
            return []
        events = []
        for line in self._complete_lines():
            if line:
                self._take(line)
            elif self._lines or self._fields:
                events.append(self._end_event())
        return [event for event in events if event]

    def _complete_lines(self) -> list[bytes]:
        text = b"".join(self._pieces)
        if not self._started and len(text) >= 3:
            text = text.removeprefix(b"\xef\xbb\xbf")
            self._started = True
        # A CR at the end of a chunk ends its line at once: a server may wait with the next byte.
        *lines, last = text.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
        self._pieces = [last]
        return lines

    def _take(self, line: bytes) -> None:
        name, _, value = line.partition(b":")
        value = value.removeprefix(b" ")
        if name == b"data":
            self._lines.append(value)
        elif name in (b"id", b"event"):
            self._fields[name] = value.decode("utf-8", "replace")

    def _end_event(self) -> bytes:
        """The data of the event that an empty line ends."""
        text = b"\n".join(self._lines)
        if text or b"id" in self._fields:
            name = self._fields.get(b"event", "")
            self.heads.append(Event(self._fields.get(b"id"), name, not text))
        self._lines = []
        self._fields = {}
        return text
