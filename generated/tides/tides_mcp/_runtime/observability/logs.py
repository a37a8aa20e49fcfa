# Copied by mcpgen from mcpgen-runtime; changes belong in hooks.py or mcpgen.toml.
"""The log on standard error, as text or JSON, written by a thread: a blocked pipe or a full disk
neither delays nor fails a call."""

from __future__ import annotations

import atexit
import json
import logging
import os
import re
import select
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from contextvars import ContextVar
from datetime import UTC, datetime
from logging.handlers import QueueHandler, QueueListener
from queue import Full, Queue
from typing import Any
from weakref import WeakSet

from ..settings import ServerSettings
from ..upstream.value_text import replace_surrogates

QUEUED_LINES = 2000  # Maximum number of unwritten lines; further lines are dropped and counted
FLUSH_SECONDS = 1.0  # Maximum seconds that the end of the process waits for unwritten lines

WRITERS: WeakSet[Any] = WeakSet()
"""The writers with a method `flush(seconds)`, for the end of the process."""

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
    return _UNSAFE.sub(lambda match: f"\\u{ord(match[0]):04x}", text).encode() + b"\n"


def _escaped(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


class TextFormatter(logging.Formatter):
    """Formats a record as `TIME LEVEL LOGGER: MESSAGE NAME=VALUE …`. Traceback lines are indented,
    so that a line with a time always begins a record."""

    def format(self, record: logging.LogRecord) -> str:
        """The record without the last newline."""
        head = f"{_time(record.created)} {record.levelname} {record.name}: "
        pairs = (f" {name}={_format_value(value)}" for name, value in _log_members(record).items())
        lines = [head + escape(record.getMessage()) + "".join(pairs)]
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
            **_log_members(record),
        }
        if trace := _trace(self, record):
            line["trace"] = trace
        return json_line(line).decode().rstrip("\n")


FORMATTERS: Mapping[str, Callable[[], logging.Formatter]] = {
    "text": TextFormatter,
    "json": JsonFormatter,
}
"""The formatters by the value of `LOG_FORMAT`."""


class LogHandler(QueueHandler):
    """Queues records as lines, formatted in the context of the request, for a thread that writes."""

    def __init__(self, descriptor: int = ERRORS) -> None:
        self._lines: Queue[bytes] = Queue(QUEUED_LINES)
        super().__init__(self._lines)
        self._counting = threading.Lock()
        self._dropped, self._reason = 0, ""
        self._listener = _LineListener(self._lines, self, descriptor)
        self._listener.start()
        WRITERS.add(self)

    def prepare(self, record: logging.LogRecord) -> bytes:
        """The line of a record."""
        try:
            line = self.format(record)
        except Exception:  # noqa: BLE001
            # A library's record whose arguments do not fit the message.
            line = f"{record.levelname} {record.name}: {escape(repr(record.msg))}"
        return f"{line}\n".encode()

    def handleError(self, record: logging.LogRecord) -> None:
        """Counts a record for which the queue has no room."""
        self.count_dropped(1, "the lines before are not written yet")

    def count_dropped(self, count: int, reason: str = "") -> None:
        """Counts records that are not written; a negative number for records told by a notice."""
        with self._counting:
            self._dropped, self._reason = self._dropped + count, reason or self._reason

    def dropped(self) -> tuple[int, bytes]:
        """The number of dropped records, and the line with number and reason."""
        with self._counting:
            count, reason = self._dropped, self._reason
        message = f"{count} records of the log were dropped: {reason}"
        notice = {"name": __name__, "levelname": "ERROR", "msg": message}
        return count, self.prepare(logging.makeLogRecord(notice)) if count else b""

    def flush(self, seconds: float = FLUSH_SECONDS) -> None:
        """Waits until every line is written or dropped, at most `seconds`."""
        with self._lines.all_tasks_done:
            self._lines.all_tasks_done.wait_for(lambda: not self._lines.unfinished_tasks, seconds)

    def close(self) -> None:
        """Ends the thread after the queued lines."""
        with suppress(Full):
            self._listener.enqueue_sentinel()
        super().close()


class _LineListener(QueueListener):
    """Writes lines in a daemon thread, each with one write: Linux writes up to 4096 bytes to a pipe
    in one piece, so that lines of several processes do not mix."""

    def __init__(self, lines: Queue[bytes], handler: LogHandler, descriptor: int) -> None:
        super().__init__(lines)
        self._handler, self._descriptor = handler, descriptor
        self._is_cut = False

    def handle(self, record: Any) -> None:
        """Writes a line, after a notice about dropped records."""
        count, notice = self._handler.dropped()
        rest = (b"\n" if self._is_cut else b"") + notice + record
        try:
            while rest:
                rest = write_some(self._descriptor, rest)
                self._is_cut = bool(rest)
        except OSError as fault:
            self._handler.count_dropped(1, fault.strerror or type(fault).__name__)
        else:
            self._handler.count_dropped(-count)


def write_some(descriptor: int, data: bytes) -> bytes:
    """Writes the beginning of `data`, also to a descriptor set to non-blocking; returns the rest.
    Raises `OSError`."""
    while True:
        try:
            return data[os.write(descriptor, data) :]
        except BlockingIOError:
            select.select([], [descriptor], [])


@atexit.register
def flush_all() -> None:
    """Waits for the lines of every writer, at most `FLUSH_SECONDS` in all."""
    end = time.monotonic() + FLUSH_SECONDS
    for writer in [*WRITERS]:
        writer.flush(max(end - time.monotonic(), 0))


def configure_logging(settings: ServerSettings) -> None:
    """Writes the log of this process to standard error, in the format and from the level of the
    settings, in place of what was configured before."""
    formatter = FORMATTERS[settings.log_format]()
    handler = LogHandler()
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
    """Writes lines to standard output, waiting at most `FLUSH_SECONDS`."""

    def write() -> None:
        rest = f"{text}\n".encode()
        with suppress(OSError):
            while rest:
                rest = write_some(descriptor, rest)

    # A daemon, so that a blocked pipe does not delay the end of the process.
    thread = threading.Thread(target=write, daemon=True)
    thread.start()
    thread.join(FLUSH_SECONDS)


def _time(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")


def _log_members(record: logging.LogRecord) -> dict[str, Any]:
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
