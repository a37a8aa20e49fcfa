"""`python supervised_child.py COMMAND ...`: a command that ends, with its children, when its starter does.

Standard input is a pipe whose other end the starter holds and never writes to. It closes however the
starter ends, also by SIGKILL. The command gets a process group of its own, so that what it starts is
stopped with it; on Linux also what left the group, for orphans become children of this process. Uses
nothing of mcpgen and ends with the command's own code.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from types import FrameType

POSIX = os.name == "posix"
SET_CHILD_SUBREAPER = 36
"""Of prctl(2)."""

PATIENCE = 3.0
"""Seconds that a command has to end by itself once it was told to."""


def stop(process: subprocess.Popen[bytes]) -> None:
    """Tells the command and its children to end, and ends those that do not."""
    _tell(process, "SIGTERM")
    try:
        process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        pass
    finally:
        # Children may outlive the command that started them; their group has its number.
        _tell(process, "SIGKILL")
        process.wait()
        while orphans := _children():
            for orphan in orphans:
                with contextlib.suppress(ProcessLookupError, ChildProcessError):
                    os.kill(orphan, signal.SIGKILL)
                    os.waitpid(orphan, 0)


def _adopt() -> None:
    """From now on the orphans among our descendants are our children, where the system knows how."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _children() -> list[int]:
    """The numbers of our children, on Linux; none elsewhere."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat") if sys.platform == "linux" else ():
        with contextlib.suppress(OSError):
            # The name of a program stands in parentheses and may hold anything.
            parent = stat.read_text("utf-8", "replace").rpartition(")")[2].split()[1]
            if int(parent) == os.getpid():
                found.append(int(stat.parent.name))
    return found


def _tell(process: subprocess.Popen[bytes], name: str) -> None:
    if POSIX:
        try:
            os.killpg(process.pid, getattr(signal, name))
        except ProcessLookupError:
            return
    elif process.poll() is None:
        process.kill()


def _stop_with(pipe: int, process: subprocess.Popen[bytes]) -> None:
    """Stops the command when the other end of the pipe is closed."""
    os.read(pipe, 1)
    stop(process)


def _leave_it(number: int, frame: FrameType | None) -> None:
    """Nothing."""


def main() -> int:
    """Runs the command, which finds an empty standard input; gives the code it ended with."""
    # The starter decides and closes the pipe. A command would inherit it if they were ignored.
    signal.signal(signal.SIGINT, _leave_it)
    signal.signal(signal.SIGTERM, _leave_it)
    _adopt()
    process = subprocess.Popen(
        sys.argv[1:], stdin=subprocess.DEVNULL, start_new_session=POSIX, restore_signals=True
    )
    watch = threading.Thread(target=_stop_with, args=(0, process), daemon=True)
    watch.start()
    code = process.wait()
    stop(process)
    return code if code >= 0 else 128 - code


if __name__ == "__main__":
    sys.exit(main())
