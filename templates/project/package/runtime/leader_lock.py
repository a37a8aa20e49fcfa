"""One of several processes at a time, in a file that they share; the next one when it is gone."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from tempfile import mkstemp

TURN = "REGISTRATION_TURN"
"""The variable that names the file."""

_MOST = 4096
"""Bytes that are left at most."""


class Leadership:
    """The turn of this process; in a server of one process always its own.

    Whoever has it may write into the file what the next one has to know. The operating system ends a
    turn with its process.
    """

    def __init__(self) -> None:
        self._file: int | None = None
        self._path = os.environ.get(TURN, "")

    @property
    def is_shared(self) -> bool:
        """Whether there are other processes."""
        return bool(self._path)

    def taken(self) -> bool:
        """Whether it is this process's turn, from now on."""
        if self._file is not None:
            # What clears old files away takes one that is never touched for such.
            os.utime(self._file)
            return True
        if not self._path:
            return True
        if sys.platform == "win32":
            # Nothing of several processes starts there.
            return True
        import fcntl

        file = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(file)
            return False
        self._file = file
        return True

    def left(self) -> str:
        """What the process before has left."""
        return (
            "" if self._file is None else os.pread(self._file, _MOST, 0).decode("utf-8", "replace")
        )

    def leave(self, text: str) -> None:
        """Leaves something for the next process, and for the one that watches over all."""
        if self._file is not None:
            os.ftruncate(self._file, 0)
            os.pwrite(self._file, text.encode(), 0)

    def end(self) -> None:
        """Gives the turn to whoever asks next."""
        if self._file is not None:
            os.close(self._file)
            self._file = None


def create_lock_file() -> str:
    """The path of a new file for turns."""
    file, path = mkstemp(prefix="registration-")
    os.close(file)
    return path


def take_lock_file(path: str) -> str:
    """What a file for turns holds, which is there no more; `""` if it was not there before."""
    file = Path(path)
    try:
        text = file.read_text("utf-8", "replace")
    except FileNotFoundError:
        return ""
    file.unlink()
    return text
