"""The log on standard error: one line per failed call, start and stop, as text or as JSON."""

from __future__ import annotations

import json
import logging
import os
import re
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from datetime import UTC, datetime
from functools import partial
from typing import Any

from .line_writer import Descriptor, LineWriter
from .settings import ServerSettings
from .value_text import replace_surrogates

OUTPUT, ERRORS = 1, 2
"""The file descriptors of standard output and standard error."""

PACKAGE = __name__.removesuffix(".runtime.logs")
"""The package whose loggers `LOG_LEVEL` sets; loggers of libraries log warnings and errors."""

current_request_id: ContextVar[str] = ContextVar("request_id", default="")
"""The id of the request that is answered, `""` without one."""

# Control characters, line separators, characters that change the direction of text or show nothing,
# and halves of surrogate pairs, which no encoding can write.
_UNSAFE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]"
)
_PLAIN = re.compile(r"[\w.:/@-]+")


def escape(text: str) -> str:
    r"""The text on one line: `\x0a` in place of a newline, `\u2028` in place of a line separator."""
    return _UNSAFE.sub(_escaped, text)


def json_line(value: Mapping[str, Any]) -> bytes:
    """The value as one line of JSON for every reader, also one that splits at U+2028 or U+0085."""
    text = replace_surrogates(json.dumps(value, ensure_ascii=False, separators=(",", ":")))
    return _UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", text).encode() + b"\n"


def _escaped(found: re.Match[str]) -> str:
    code = ord(found[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


class TextFormatter(logging.Formatter):
    """Formats a record as `TIME LEVEL LOGGER: MESSAGE NAME=VALUE …`. The lines of a traceback follow,
    indented: a line that begins with a time is the beginning of a record."""

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
    """Hands records to a writer; neither a pipe that nobody reads nor a bad record fails a call."""

    def __init__(self, writer: LineWriter) -> None:
        super().__init__()
        self._writer = writer

    def emit(self, record: logging.LogRecord) -> None:
        """Formats the record in the context of its request, and hands it to the writer."""
        try:
            line = self.format(record)
        except Exception:  # noqa: BLE001
            # A record of any library, whose arguments do not fit its message.
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
    logging.getLogger(PACKAGE).setLevel(level)
    logging.captureWarnings(True)


def open_standard_streams() -> None:
    """Opens the null device in place of standard streams that are closed. Otherwise the next file or
    socket gets the number 1 or 2, and lines of the log are written into it."""
    for number in (0, OUTPUT, ERRORS):
        try:
            os.fstat(number)
        except OSError:
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)


def announce(text: str, descriptor: int = OUTPUT) -> None:
    """Writes lines to standard output, in at most the time of a flush. They are lost if nobody can
    read them."""
    LineWriter(Descriptor(descriptor), lambda count, reason: b"").put(f"{text}\n".encode())


def _notice(formatter: logging.Formatter, count: int, reason: str) -> bytes:
    """The line about records that were dropped."""
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
    """The traceback of a record, `""` without one."""
    if record.exc_info and not record.exc_text:
        record.exc_text = formatter.formatException(record.exc_info)
    return record.exc_text or ""
