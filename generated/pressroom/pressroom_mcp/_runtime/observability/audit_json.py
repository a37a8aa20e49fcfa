"""Audit events as lines of JSON, on standard output or in a file; optionally required."""

from __future__ import annotations

import asyncio
import logging
import os
import stat
from datetime import UTC, datetime
from functools import partial

from ..result import Result
from ..server.middleware import Finish, Invocation
from ..settings import ServerSettings
from .audit import DROP, Audit, Event
from .logs import OUTPUT, Descriptor, Destination, LineWriter, json_line

logger = logging.getLogger(__name__)


class AuditSettings(ServerSettings):
    """Where the events of the audit are written."""

    audit_file: str = ""
    """The file that lines are appended to; standard output without one."""


class JsonAudit:
    """Writes events as lines, in a thread. An event that cannot be written goes to the log; the next
    line that can be written tells how many are missing."""

    def __init__(self, destination: Destination) -> None:
        self._writer = LineWriter(destination, _notice, _log_dropped)

    def __call__(self, event: Event) -> None:
        """Takes an event; never blocks and never raises."""
        self._writer.put(json_line(event))

    @property
    def failure(self) -> str:
        """Why the last events were not written, `""` if events can be written."""
        return self._writer.failure

    async def written(self, event: Event) -> str:
        """Waits until an event is written; `""`, or why it was not."""
        loop = asyncio.get_running_loop()
        written: asyncio.Future[str] = loop.create_future()
        self._writer.put(json_line(event), partial(_settle, loop, written))
        return await written

    def flush(self) -> None:
        """Waits until every event is written or dropped, for a bounded time."""
        self._writer.flush()


def audit_lines(settings: AuditSettings) -> JsonAudit:
    """The sink that the settings name. Raises `ValueError` if its file cannot be written."""
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
    """A file that lines are appended to. A file that was moved away is begun anew; lines of several
    processes do not mix, because each piece is appended at once."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._open: int | None = None
        self._which: tuple[int, int] = (0, 0)

    def open(self) -> None:
        """Opens the file that has the name now. Raises `OSError`."""
        if self._open is not None:
            os.close(self._open)
            self._open = None
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_CLOEXEC", 0)
        # Who called what is nobody else's business on this machine.
        self._open = os.open(self._path, flags, 0o640)
        self._which = _identity(os.fstat(self._open))

    def resume(self, is_cut: bool) -> bytes:
        """A newline if the file ends inside a line, which this or another process has cut."""
        return b"\n" if _ends_inside_line(self._path, is_cut) else b""

    def write(self, data: bytes) -> int:
        """Appends to the file that has the name now. Raises `OSError`."""
        if self._open is None or not self._is_current():
            self.open()
        assert self._open is not None
        return os.write(self._open, data)

    def _is_current(self) -> bool:
        try:
            return _identity(os.stat(self._path)) == self._which
        except FileNotFoundError:
            return False


def _ends_inside_line(path: str, is_cut: bool) -> bool:
    """Whether the last byte of a file is no newline; `is_cut` where the file cannot be read."""
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


def _identity(found: os.stat_result) -> tuple[int, int]:
    return found.st_dev, found.st_ino


def _notice(count: int, reason: str) -> bytes:
    now = datetime.now(UTC).isoformat(timespec="milliseconds")
    return json_line({"event": DROP, "time": now, "count": count, "reason": reason})


def _log_dropped(line: bytes, reason: str) -> None:
    logger.error("an audit event cannot be written (%s): %s", reason, line.decode().rstrip())


def _settle(loop: asyncio.AbstractEventLoop, written: asyncio.Future[str], reason: str) -> None:
    """Hands the outcome from the writer's thread to the event loop."""
    try:
        loop.call_soon_threadsafe(_set, written, reason)
    except RuntimeError:
        # The loop is closed, and with it the call that waited.
        return


def _set(written: asyncio.Future[str], reason: str) -> None:
    if not written.done():
        written.set_result(reason)


BEGIN = "mcp.begin"
"""The event of a call that is about to be made."""

RESUME = "mcp.resume"
"""The event with which a server tries whether events can be written again."""

WAIT_SECONDS = 1.0
"""How long a call waits until its event is written, as for a pipe that nobody reads."""


class RequiredAudit(Audit):
    """The audit without which no call is made: each call waits until its event `mcp.begin` is
    written, and is refused where that fails."""

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
        """Why calls are refused, `""` if they are not. Tries to write first: a server that is sent no
        calls would not notice that it can write again."""
        if self._reason:
            await self._write(RESUME, {})
        return f"the audit cannot be written: {self._reason}" if self._reason else ""

    async def call(self, invocation: Invocation, finish: Finish) -> Result:
        """The result of a call whose beginning is written, or a refusal."""
        event: Event = {"subject": invocation.caller.subject, "tool": invocation.tool.name}
        is_written = await self._write(BEGIN, event)
        return await super().call(invocation, finish if is_written else _refuse)

    async def _write(self, name: str, event: Event) -> bool:
        """Writes an event; whether that was possible."""
        try:
            async with asyncio.timeout(WAIT_SECONDS):
                reason = await self._lines.written(self._event(name, event))
        except TimeoutError:
            self._reason = f"no line was written within {WAIT_SECONDS:g} s"
            return False
        self._reason = reason
        return not reason


async def _refuse() -> Result:
    return Result.denied(
        {
            "outcome": "denied",
            "code": "audit_unavailable",
            "message": "The call was not made: its audit cannot be written; try again later",
        }
    )
