# Copied by mcpgen from mcpgen-runtime; changes belong in hooks.py or mcpgen.toml.
"""The log on standard error, as text or JSON, written by a thread: a blocked pipe or a full disk
neither delays nor fails a call. `stop` of `logging.handlers.QueueListener` would wait without limit.
"""

from __future__ import annotations

import atexit
import json
import logging
import os
import re
import select
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from datetime import UTC, datetime
from functools import partial
from typing import Any, Protocol
from weakref import WeakSet

from ..settings import ServerSettings
from ..upstream.value_text import replace_surrogates

QUEUE_BYTES = 4 * 1024 * 1024
"""Size of the lines that wait to be written; further lines are dropped and counted."""

BATCH_SECONDS = 0.01
"""Time in seconds for which the thread collects lines: waking a thread per line costs more than the
line."""

IDLE_SECONDS = 5.0  # Seconds without a line after which the thread ends
FLUSH_SECONDS = 1.0  # Maximum seconds that the end of the process waits for unwritten lines

PIECE_BYTES = 4096
"""Size of one write of several lines. Linux writes up to 4096 bytes to a pipe in one piece, so that
lines of several processes do not mix."""

Notice = Callable[[int, str], bytes]
"""Makes the line about the number of dropped lines and the reason."""

Done = Callable[[str], None]
"""Called in the thread when a line was written (`""`) or dropped (the reason)."""


class Destination(Protocol):
    """Takes the bytes of lines."""

    def resume(self, is_cut: bool) -> bytes:
        """The bytes to write before the next line, at the start and after a failure; `is_cut` is
        true if the last write ended inside a line. Raises `OSError`."""

    def write(self, data: bytes) -> int:
        """Writes the beginning of `data`; returns the number of bytes. Raises `OSError`."""


class Descriptor:
    """An open file descriptor, such as 1 or 2."""

    def __init__(self, number: int) -> None:
        self._number = number

    def resume(self, is_cut: bool) -> bytes:
        """A newline after a line that was cut off."""
        return b"\n" if is_cut else b""

    def write(self, data: bytes) -> int:
        """Writes to the descriptor. Waits for a reader if the descriptor is set to non-blocking."""
        while True:
            try:
                return os.write(self._number, data)
            except BlockingIOError:
                select.select([], [self._number], [])


class LineWriter:
    """Writes lines to a destination in a thread, which starts with the first line. `notice` makes
    the first line after lines were dropped. `dropped` is called with each dropped line and the
    reason, in the caller's thread or in the writing one."""

    def __init__(
        self,
        destination: Destination,
        notice: Notice,
        dropped: Callable[[bytes, str], None] = lambda line, reason: None,
    ) -> None:
        self._destination = destination
        self._notice = notice
        self._tell_dropped = dropped
        self._changed = threading.Condition()
        self._waiting: deque[tuple[bytes, Done | None]] = deque()
        self._bytes = 0
        self._lost = 0
        self._reason = ""
        self._is_urgent = False
        self._is_cut = False
        self._must_resume = True
        self._thread: threading.Thread | None = None
        _WRITERS.add(self)

    @property
    def failure(self) -> str:
        """The reason why the last lines were dropped, `""` if lines can be written."""
        return self._reason

    def put(self, line: bytes, done: Done | None = None) -> None:
        """Queues a line that ends with a newline. Never blocks and never raises; a line with `done`
        is written at once."""
        reason = ""
        with self._changed:
            if self._bytes + len(line) > QUEUE_BYTES:
                reason = "the lines before are not written yet"
            elif not self._has_thread():
                reason = "no thread can be started"
            else:
                self._waiting.append((line, done))
                self._bytes += len(line)
                if done:
                    self._is_urgent = True
                if done or len(self._waiting) == 1:
                    self._changed.notify_all()
                return
            self._lost += 1
            self._reason = reason
        self._drop(line, done, reason)

    def flush(self, seconds: float = FLUSH_SECONDS) -> bool:
        """Waits until every line is written or dropped, at most `seconds`; returns False on
        timeout."""
        with self._changed:
            self._is_urgent = True
            self._changed.notify_all()
            return self._changed.wait_for(lambda: not self._bytes, seconds)

    def _has_thread(self) -> bool:
        if self._thread is None:
            thread = threading.Thread(target=self._run, name="line writer", daemon=True)
            try:
                thread.start()
            except RuntimeError:
                return False
            self._thread = thread
        return True

    def _run(self) -> None:
        while lines := self._take():
            piece: list[tuple[bytes, Done | None]] = []
            size = 0
            for line, done in lines:
                if piece and size + len(line) > PIECE_BYTES:
                    self._write(piece)
                    piece, size = [], 0
                piece.append((line, done))
                size += len(line)
            self._write(piece)

    def _take(self) -> list[tuple[bytes, Done | None]]:
        """All queued lines, after waiting for the first. Empty after `IDLE_SECONDS` without lines,
        which ends the thread."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting, IDLE_SECONDS)
            if not self._waiting:
                self._thread = None
                return []
            if not self._is_urgent:
                self._changed.wait_for(lambda: self._is_urgent, BATCH_SECONDS)
            self._is_urgent = False
            lines = [*self._waiting]
            self._waiting.clear()
            return lines

    def _write(self, piece: Sequence[tuple[bytes, Done | None]]) -> None:
        """Writes lines in one piece, after a notice about dropped lines."""
        with self._changed:
            lost, reason = self._lost, self._reason
        written, failure, head = 0, "", b""
        try:
            head = self._destination.resume(self._is_cut) if self._must_resume else b""
            head += self._notice(lost, reason) if lost else b""
            data = head + b"".join(line for line, _ in piece)
            while written < len(data):
                written += self._destination.write(data[written:])
                self._is_cut = data[written - 1 : written] != b"\n"
        except OSError as fault:
            failure = fault.strerror or type(fault).__name__
        self._must_resume = bool(failure)
        ends, end = [], len(head)
        for line, _ in piece:
            end += len(line)
            ends.append(end)
        count = sum(end > written for end in ends) if failure else 0
        for (line, done), end in zip(piece, ends, strict=True):
            if failure and end > written:
                self._drop(line, done, failure)
            elif done:
                done("")
        with self._changed:
            # The notice does not cover lines dropped while this piece was written.
            self._lost += count - (lost if written and written >= len(head) else 0)
            self._reason = failure or (self._reason if self._lost else "")
            self._bytes -= sum(len(line) for line, _ in piece)
            self._changed.notify_all()

    def _drop(self, line: bytes, done: Done | None, reason: str) -> None:
        if done:
            done(reason)
        self._tell_dropped(line, reason)


_WRITERS: WeakSet[LineWriter] = WeakSet()


@atexit.register
def flush_all(seconds: float = FLUSH_SECONDS) -> None:
    """Waits for the lines of every writer, at most `seconds` in all."""
    end = time.monotonic() + seconds
    for writer in [*_WRITERS]:
        writer.flush(max(end - time.monotonic(), 0))


OUTPUT, ERRORS = 1, 2  # The file descriptors of standard output and standard error

RUNTIME = __name__.removesuffix(".observability.logs")
"""The package whose loggers `LOG_LEVEL` sets; loggers of libraries log warnings and errors."""

current_request_id: ContextVar[str] = ContextVar("request_id", default="")
"""The id of the current request, `""` without a request."""

# Control characters, line separators, invisible characters and characters that change text
# direction, and surrogates, which no encoding can write.
_UNSAFE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]"
)
_PLAIN = re.compile(r"[\w.:/@-]+")


def escape(text: str) -> str:
    r"""The text on one line: `\x0a` in place of a newline, `\u2028` in place of a line separator."""
    return _UNSAFE.sub(_escaped, text)


def json_line(value: Mapping[str, Any]) -> bytes:
    """The value as one line of JSON, also for readers that split lines at U+2028 or U+0085."""
    text = replace_surrogates(json.dumps(value, ensure_ascii=False, separators=(",", ":")))
    return _UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", text).encode() + b"\n"


def _escaped(found: re.Match[str]) -> str:
    code = ord(found[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


class TextFormatter(logging.Formatter):
    """Formats a record as `TIME LEVEL LOGGER: MESSAGE NAME=VALUE …`. Traceback lines are indented,
    so that a line with a time always begins a record."""

    def format(self, record: logging.LogRecord) -> str:
        """The record without the last newline."""
        head = f"{_time(record.created)} {record.levelname} {record.name}: "
        shown = (f" {name}={_format_value(value)}" for name, value in _members(record).items())
        lines = [head + escape(record.getMessage()) + "".join(shown)]
        lines += (f"    {escape(line)}" for line in _trace(self, record).split("\n") if line)
        return "\n".join(lines)


class JsonFormatter(logging.Formatter):
    """Formats a record as one JSON object: `time`, `level`, `logger`, `message`, the members of
    `extra={"members": …}`, and `requestId` and `trace` where they exist."""

    def format(self, record: logging.LogRecord) -> str:
        """The object without a newline."""
        line: dict[str, Any] = {
            "time": _time(record.created),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **_members(record),
        }
        if trace := _trace(self, record):
            line["trace"] = trace
        return json_line(line).decode().rstrip("\n")


FORMATTERS: Mapping[str, Callable[[], logging.Formatter]] = {
    "text": TextFormatter,
    "json": JsonFormatter,
}
"""The formatters by the value of `LOG_FORMAT`."""


class LogHandler(logging.Handler):
    """Queues records in a writer; a blocked pipe or an invalid record never fails a call."""

    def __init__(self, writer: LineWriter) -> None:
        super().__init__()
        self._writer = writer

    def emit(self, record: logging.LogRecord) -> None:
        """Formats the record in the context of its request, and hands it to the writer."""
        try:
            line = self.format(record)
        except Exception:  # noqa: BLE001
            # A library's record whose arguments do not fit the message.
            line = f"{record.levelname} {record.name}: {escape(repr(record.msg))}"
        self._writer.put(f"{line}\n".encode())

    def flush(self) -> None:
        """Waits for the writer, for a bounded time."""
        self._writer.flush()


def configure_logging(settings: ServerSettings) -> None:
    """Writes the log of this process to standard error, in the format and from the level of the
    settings, in place of what was configured before."""
    formatter = FORMATTERS[settings.log_format]()
    handler = LogHandler(LineWriter(Descriptor(ERRORS), partial(_notice, formatter)))
    handler.setFormatter(formatter)
    level = logging.getLevelNamesMapping()[settings.log_level.upper()]
    logging.basicConfig(level=max(level, logging.WARNING), handlers=[handler], force=True)
    set_log_level(settings, RUNTIME)
    logging.captureWarnings(True)


def set_log_level(settings: ServerSettings, package: str) -> None:
    """Sets the log level of the modules of `package`; other libraries log warnings only."""
    level = logging.getLevelNamesMapping()[settings.log_level.upper()]
    logging.getLogger(package).setLevel(level)


def open_standard_streams() -> None:
    """Opens the null device for closed standard streams. Otherwise the next file or socket would
    get the number 1 or 2, and log lines would be written into the file or socket."""
    for number in (0, OUTPUT, ERRORS):
        try:
            os.fstat(number)
        except OSError:
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)


def announce(text: str, descriptor: int = OUTPUT) -> None:
    """Writes lines to standard output, waiting at most `FLUSH_SECONDS`; drops the lines if
    blocked."""
    LineWriter(Descriptor(descriptor), lambda count, reason: b"").put(f"{text}\n".encode())


def _notice(formatter: logging.Formatter, count: int, reason: str) -> bytes:
    message = f"{count} records of the log were dropped: {reason}"
    record = logging.makeLogRecord({"name": __name__, "levelno": logging.ERROR, "msg": message})
    record.levelname = "ERROR"
    return f"{formatter.format(record)}\n".encode()


def _time(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")


def _members(record: logging.LogRecord) -> dict[str, Any]:
    members = dict(getattr(record, "members", {}))
    if id := current_request_id.get():
        members["requestId"] = id
    return members


def _format_value(value: object) -> str:
    text = str(value)
    return text if _PLAIN.fullmatch(text) else escape(json.dumps(text, ensure_ascii=False))


def _trace(formatter: logging.Formatter, record: logging.LogRecord) -> str:
    if record.exc_info and not record.exc_text:
        record.exc_text = formatter.formatException(record.exc_info)
    return record.exc_text or ""
