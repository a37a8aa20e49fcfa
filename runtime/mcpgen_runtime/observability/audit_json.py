"""Audit events as lines of JSON, on standard output or in a file; optionally required."""

from __future__ import annotations

import asyncio
import logging
import os
import stat
from datetime import UTC, datetime
from functools import partial

from ..result import Result
from ..server.invocation import Finish, Invocation
from ..settings import ServerSettings
from .audit import DROP, Audit, Event
from .line_writer import Descriptor, Destination, LineWriter
from .logs import OUTPUT, json_line

logger = logging.getLogger(__name__)


class AuditSettings(ServerSettings):
    """The setting for the audit file."""

    audit_file: str = ""
    """The file that lines are appended to; standard output by default."""


class JsonAudit:
    """Writes events as lines, in a thread. An event that cannot be written goes to the log; the
    next written line tells the number of lost events."""

    def __init__(self, destination: Destination) -> None:
        self._writer = LineWriter(destination, _notice, _log_dropped)

    def __call__(self, event: Event) -> None:
        """Queues an event; never blocks and never raises."""
        self._writer.put(json_line(event))

    @property
    def failure(self) -> str:
        """The reason why the last events were not written, `""` if events can be written."""
        return self._writer.failure

    async def write(self, event: Event) -> str:
        """Waits until an event is written; returns `""` or the reason of the failure."""
        loop = asyncio.get_running_loop()
        outcome: asyncio.Future[str] = loop.create_future()
        self._writer.put(json_line(event), partial(_pass_outcome, loop, outcome))
        return await outcome

    def flush(self) -> None:
        """Waits until every event is written or dropped, for a bounded time."""
        self._writer.flush()


def audit_lines(settings: AuditSettings) -> JsonAudit:
    """The configured sink. Raises `ValueError` if the file cannot be written."""
    if not settings.audit_file:
        return JsonAudit(Descriptor(OUTPUT))
    file = _File(settings.audit_file)
    try:
        file.open()
    except OSError as fault:
        variable = settings.variable("audit_file")
        raise ValueError(f"{variable} names a file that cannot be written: {fault}") from None
    return JsonAudit(file)


class _File:
    """A file with lines appended. Reopens the path after log rotation. Each piece is appended with
    one write, so that lines of several processes do not mix."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._open: int | None = None
        self._file_identity: tuple[int, int] = (0, 0)

    def open(self) -> None:
        """Opens the file at the path. Raises `OSError`."""
        if self._open is not None:
            os.close(self._open)
            self._open = None
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_CLOEXEC", 0)
        # Windows would write each line end as CRLF.
        flags |= getattr(os, "O_BINARY", 0)
        # Not readable by other users: the audit names callers and tools.
        self._open = os.open(self._path, flags, 0o640)
        self._file_identity = _identity(os.fstat(self._open))

    def resume(self, is_cut: bool) -> bytes:
        """A newline if the file ends inside a line, cut by this or another process."""
        return b"\n" if _ends_inside_line(self._path, is_cut) else b""

    def write(self, data: bytes) -> int:
        """Appends to the current file at the path. Raises `OSError`."""
        if self._open is None or not self._is_current():
            self.open()
        assert self._open is not None
        return os.write(self._open, data)

    def _is_current(self) -> bool:
        try:
            return _identity(os.stat(self._path)) == self._file_identity
        except FileNotFoundError:
            return False


def _ends_inside_line(path: str, is_cut: bool) -> bool:
    """True if the last byte of a file is not a newline; `is_cut` if the file cannot be read."""
    try:
        with open(path, "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                return is_cut
            if not file.seek(0, os.SEEK_END):
                return False
            file.seek(-1, os.SEEK_END)
            return file.read(1) != b"\n"
    except OSError:
        return is_cut


def _identity(status: os.stat_result) -> tuple[int, int]:
    return status.st_dev, status.st_ino


def _notice(count: int, reason: str) -> bytes:
    now = datetime.now(UTC).isoformat(timespec="milliseconds")
    return json_line({"event": DROP, "time": now, "count": count, "reason": reason})


def _log_dropped(line: bytes, reason: str) -> None:
    logger.error("an audit event cannot be written (%s): %s", reason, line.decode().rstrip())


def _pass_outcome(
    loop: asyncio.AbstractEventLoop, outcome: asyncio.Future[str], reason: str
) -> None:
    """Hands the outcome from the writer's thread to the event loop."""
    try:
        loop.call_soon_threadsafe(_set_outcome, outcome, reason)
    except RuntimeError:
        # The loop is closed, and the waiting call has ended.
        return


def _set_outcome(outcome: asyncio.Future[str], reason: str) -> None:
    if not outcome.done():
        outcome.set_result(reason)


BEGIN = "mcp.begin"
"""The event before a call is made."""

RESUME = "mcp.resume"
"""The event that tests whether events can be written again."""

WAIT_SECONDS = 1.0
"""Maximum time in seconds for writing an event, for example to a blocked pipe."""


class RequiredAudit(Audit):
    """Makes no call without an audit event: each call waits until the event `mcp.begin` is written,
    and is refused if writing fails."""

    def __init__(
        self,
        settings: ServerSettings,
        lines: JsonAudit,
        *,
        server: str,
        arguments: bool = False,
    ) -> None:
        super().__init__(settings, lines, server=server, arguments=arguments)
        self._lines = lines
        self._reason = ""

    async def ready(self) -> str:
        """The reason why calls are refused, `""` otherwise. Tries to write first, since a server
        without traffic would not notice a recovery."""
        if self._reason:
            await self._write(RESUME, {})
        return f"the audit cannot be written: {self._reason}" if self._reason else ""

    async def call(self, invocation: Invocation, finish: Finish) -> Result:
        """Runs the call if the event `mcp.begin` is written, otherwise refuses the call."""
        event: Event = {"subject": invocation.caller.subject, "tool": invocation.tool.name}
        is_written = await self._write(BEGIN, event)
        return await super().call(invocation, finish if is_written else _audit_refusal)

    async def _write(self, name: str, event: Event) -> bool:
        """Writes an event; returns False on failure or timeout."""
        try:
            async with asyncio.timeout(WAIT_SECONDS):
                reason = await self._lines.write(self._event(name, event))
        except TimeoutError:
            self._reason = f"no line was written within {WAIT_SECONDS:g} s"
            return False
        self._reason = reason
        return not reason


async def _audit_refusal() -> Result:
    return Result.denied(
        {
            "outcome": "denied",
            "code": "audit_unavailable",
            "message": "The call was not made: its audit cannot be written; try again later",
        }
    )
