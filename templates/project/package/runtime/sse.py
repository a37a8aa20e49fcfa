"""Server-sent events; https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream."""

from __future__ import annotations

import json

from .tool import Json


class SseParser:
    """Puts lines together to events."""

    def __init__(self) -> None:
        self._event: dict[str, Json] = {}
        self._data: list[str] = []
        self._first = True

    @property
    def begun(self) -> bool:
        """Whether lines of an event came whose end has not come yet."""
        return bool(self._data)

    def feed(self, line: bytes) -> Json:
        """The event that a line ends, or None.

        An event has what it was sent with: `data`, as JSON if it is JSON, `event`, `id`, `retry`.
        """
        text = line.decode("utf-8", "replace")
        if self._first:
            text, self._first = text.removeprefix("\ufeff"), False
        if text:
            self._field(text)
            return None
        event, data = self._event, self._data
        self._event, self._data = {}, []
        # The standard dispatches no event that has no data.
        return {**event, "data": _value("\n".join(data))} if data else None

    def _field(self, line: str) -> None:
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "data":
            self._data.append(value)
        elif name == "event" or (name == "id" and "\0" not in value):
            self._event[name] = value
        elif name == "retry" and value.isascii() and value.isdecimal():
            self._event[name] = int(value[:10])


def _value(text: str) -> Json:
    """The JSON of an event's data, or the text itself."""
    try:
        return json.loads(text, parse_constant=_no_json)
    except (ValueError, RecursionError):
        return text


def _no_json(name: str) -> Json:
    raise ValueError(name)
