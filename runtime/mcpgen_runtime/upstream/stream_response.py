"""Reads responses item by item within limits: server-sent events, NDJSON and JSON sequences.

https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field

from aiohttp import ClientError

from ..extensions import Extensions, ReadStream
from ..observability.redact import Redactor
from ..result import Block, Result, text_block
from ..settings import ServerSettings
from ..tool import Json
from .exchange import UpstreamResponse
from .operation import ToolOperation
from .tool_result import header_blocks
from .value_text import compact_json, loads


@dataclass(frozen=True)
class ResponseStream:
    """The items of a streamed response.

    `cut_reason` tells where and why reading stopped before the end, `""` at the end; `broken`: the
    connection was lost. `partial`: an incomplete last item was dropped. `faults` counts items that
    are not valid JSON and are given as text.
    """

    items: tuple[Json, ...]
    cut_reason: str = ""
    broken: bool = False
    partial: bool = False
    faults: int = 0

    def result(
        self, operation: ToolOperation, answer: UpstreamResponse, redactor: Redactor
    ) -> Result:
        """The result of a streamed response: a JSON line per item, or a JSON array for a tool with an
        output schema.

        A failure only after a lost connection; a response cut at a limit is a success with a note.
        """
        values = [operation.select(item) for item in self.items]
        lines = [redactor.clean_json(compact_json(value)) for value in values]
        is_array = operation.output is not None
        texts = ["\n".join(lines)] if lines else []
        if is_array:
            texts = ["[" + ",\n".join(lines) + "]"]
        texts += self._notes(operation)
        blocks: tuple[Block, ...] = (*map(text_block, texts), *header_blocks(answer, redactor))
        if self.broken:
            return Result(blocks, failed=True)
        if operation.output is None:
            return Result(blocks)
        return operation.output.of_response(
            {"result": [loads(line).value for line in lines]}, blocks
        )

    def _notes(self, operation: ToolOperation) -> list[str]:
        """Notes about missing or invalid items."""
        count = f"{len(self.items)} item{'' if len(self.items) == 1 else 's'}"
        notes = []
        if self.cut_reason:
            notes.append(
                f"The stream was cut {self.cut_reason}; {count} came before, and more may follow."
            )
        elif not self.items:
            notes.append("The stream ended without an item.")
        if self.partial:
            notes.append("The last item was incomplete and is left out.")
        if self.faults and not operation.fields:
            notes.append(f"{self.faults} of the items are not JSON; they stand here as text.")
        return ["\n".join(notes)] if notes else []


class SseParser:
    """Parses lines of server-sent events."""

    def __init__(self) -> None:
        self._event: dict[str, Json] = {}
        self._data: list[str] = []
        self._first = True

    @property
    def has_partial_event(self) -> bool:
        """True inside an incomplete event."""
        return bool(self._data)

    def feed(self, line: bytes) -> Json:
        """The event completed by a line, or None.

        Members of an event: `data`, parsed if JSON, `event`, `id`, `retry`.
        """
        text = line.decode("utf-8", "replace")
        if self._first:
            text, self._first = text.removeprefix("\ufeff"), False
        if text:
            self._field(text)
            return None
        event, data = self._event, self._data
        self._event, self._data = {}, []
        # The standard dispatches no event without data.
        return {**event, "data": _event_value("\n".join(data))} if data else None

    def _field(self, line: str) -> None:
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "data":
            self._data.append(value)
        elif name == "event" or (name == "id" and "\0" not in value):
            self._event[name] = value
        elif name == "retry" and value.isascii() and value.isdecimal():
            self._event[name] = int(value[:10])


def _event_value(text: str) -> Json:
    """The data of an event, parsed if JSON."""
    try:
        value = json.loads(text)
        compact_json(value)  # Raises `ValueError` for NaN and for numbers such as 1e400.
    except (ValueError, RecursionError):
        return text
    return value


_NEWLINE = re.compile(rb"\n")
# A trailing carriage return may be the first half of a line end that is still in transit.
_LINE_END = re.compile(rb"\r\n|\n|\r(?=.)", re.DOTALL)
_RECORD = re.compile(rb"\x1e")

EVENTS = "text/event-stream"

_KINDS: dict[str, re.Pattern[bytes]] = {
    EVENTS: _LINE_END,
    "application/x-ndjson": _NEWLINE,
    "application/ndjson": _NEWLINE,
    "application/jsonl": _NEWLINE,
    "application/x-jsonlines": _NEWLINE,
    "application/jsonlines": _NEWLINE,
    "application/json-seq": _RECORD,
}
"""The content types of streams, with the pattern of line ends."""


@dataclass(frozen=True)
class StreamLimits:
    """Limits for reading a stream: items, bytes after decompression, seconds."""

    items: int
    size: int
    seconds: float


def is_stream_content(media_type: str) -> bool:
    """True for the content types of streams."""
    return media_type in _KINDS or media_type.endswith("+json-seq")


async def read_stream(
    content: AsyncIterator[bytes], media_type: str, limits: StreamLimits
) -> ResponseStream:
    """Reads a stream until the end, an error or a limit; the caller closes the stream."""
    reader = _ItemReader(media_type, limits.items)
    size, cut_reason = 0, ""
    try:
        async with asyncio.timeout(limits.seconds):
            async for piece in content:
                size += len(piece)
                room = len(piece) - max(size - limits.size, 0)
                if reader.feed(piece[:room]):
                    cut_reason = f"after {limits.items} items, which is the limit"
                elif size > limits.size:
                    cut_reason = f"after {limits.size} bytes, which is the limit"
                if cut_reason:
                    break
    except TimeoutError:
        cut_reason = f"after {limits.seconds:g} seconds, which is the limit"
    except ClientError:
        return reader.stream("because the API broke off the connection", broken=True)
    return reader.stream(cut_reason)


@dataclass
class _ItemReader:
    """Splits a stream into items."""

    media_type: str
    max_items: int
    items: list[Json] = field(default_factory=list)
    faults: int = 0
    _buffer: bytearray = field(default_factory=bytearray)
    _scanned: int = 0
    _events: SseParser = field(default_factory=SseParser)

    def feed(self, piece: bytes) -> bool:
        """Adds bytes; returns True when the maximum number of items is reached."""
        self._buffer += piece
        for line in self._lines():
            self._take(line)
            if self._full():
                return True
        return False

    def stream(self, cut_reason: str, *, broken: bool = False) -> ResponseStream:
        """The items so far. Data after the last line end is an item if the stream is complete,
        otherwise an incomplete item."""
        if self._full():
            return ResponseStream(tuple(self.items), cut_reason, broken, faults=self.faults)
        if self.media_type == EVENTS:
            # A trailing carriage return is a line end after all.
            self.feed(b"\n" if self._buffer.endswith(b"\r") else b"")
            partial = self._events.has_partial_event or bool(self._buffer)
        else:
            partial = bool(cut_reason and self._buffer.strip())
            self._take(b"" if cut_reason else bytes(self._buffer))
        return ResponseStream(tuple(self.items), cut_reason, broken, partial, self.faults)

    def _full(self) -> bool:
        return len(self.items) >= self.max_items

    def _lines(self) -> Iterator[bytes]:
        start, ends = 0, _KINDS.get(self.media_type, _RECORD)
        while (match := ends.search(self._buffer, max(start, self._scanned))) is not None:
            span = match.span()
            # The buffer cannot be resized while a match object refers to the buffer.
            match = None
            line = bytes(self._buffer[start : span[0]])
            start = span[1]
            yield line
        del self._buffer[:start]
        # A trailing `\r` is examined again with the following byte.
        self._scanned = max(len(self._buffer) - 1, 0)

    def _take(self, line: bytes) -> None:
        if self.media_type == EVENTS:
            event = self._events.feed(line)
            if event is not None:
                self.items.append(event)
        elif line.strip():
            self.items.append(self._parsed(line.strip()))

    def _parsed(self, line: bytes) -> Json:
        try:
            return loads(line).value
        except (ValueError, RecursionError):
            self.faults += 1
            return line.decode("utf-8", "replace")


async def _read_limited(
    content: AsyncIterator[bytes], media_type: str, settings: ServerSettings
) -> ResponseStream:
    """Reads a stream within the limits of the settings."""
    seconds = min(settings.stream_seconds, settings.timeout_seconds)
    limits = StreamLimits(settings.stream_items, settings.result_bytes, seconds)
    return await read_stream(content, media_type, limits)


def _reader(media_type: str) -> ReadStream | None:
    return _read_limited if is_stream_content(media_type) else None


def streamed_responses(installed: Extensions) -> None:
    """Installs the reader of streamed responses."""
    installed.stream_reader = _reader
