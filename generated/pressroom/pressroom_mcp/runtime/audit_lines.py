"""Events of the audit as lines of JSON, on standard output or in a file."""

from __future__ import annotations

import logging
import os
import sys

from .audit import Event, Sink, line_of
from .settings import ServerSettings

logger = logging.getLogger(__name__)


class AuditSettings(ServerSettings):
    """Where the events of the audit are written."""

    audit_file: str = ""
    """The file that lines are appended to; standard output without one."""


def audit_lines(settings: AuditSettings) -> Sink:
    """The sink that the settings name. Raises `ValueError` if its file cannot be written."""
    if not settings.audit_file:
        return _print
    file = _File(settings.audit_file)
    try:
        file.open()
    except OSError as fault:
        variable = settings.variable("audit_file")
        raise ValueError(f"{variable} names a file that cannot be written: {fault}") from None
    return file.append


def _print(event: Event) -> None:
    sys.stdout.write(line_of(event))
    sys.stdout.flush()


class _File:
    """A file that lines are appended to. One that was moved away is begun anew; lines of several
    processes do not mix, because each is written in one piece."""

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

    def append(self, event: Event) -> None:
        """Writes one line. One that cannot be written goes to the log: its call was made."""
        line = line_of(event)
        try:
            if self._open is None or not self._is_current():
                self.open()
            assert self._open is not None
            rest = line.encode()
            while rest:
                rest = rest[os.write(self._open, rest) :]
        except OSError as fault:
            logger.error("an audit event cannot be written (%s): %s", fault, line.rstrip())

    def _is_current(self) -> bool:
        try:
            return _identity(os.stat(self._path)) == self._which
        except FileNotFoundError:
            return False


def _identity(found: os.stat_result) -> tuple[int, int]:
    return found.st_dev, found.st_ino
