"""`python supervised_child.py COMMAND ...`: runs a command until the starting process ends.

Standard input is a pipe; the starting process holds the other end and never writes. The pipe closes
however that process ends, also by SIGKILL. The command gets a process group, so that children of
the command are stopped as well; on Linux also children that left the group, since orphans become
children of this process. Imports nothing of mcpgen and exits with the command's exit code.
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
"""Seconds for a command to end after SIGTERM."""


def stop(process: subprocess.Popen[bytes]) -> None:
    """Sends SIGTERM to the command and all children, and kills the processes still running after
    `PATIENCE`."""
    signal_group(process, "SIGTERM")
    try:
        process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        pass
    finally:
        # Children may outlive the command; the process group keeps the command's number.
        signal_group(process, "SIGKILL")
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
    """The process ids of the children, on Linux; empty elsewhere."""
    children = []
    for stat in Path("/proc").glob("[0-9]*/stat") if sys.platform == "linux" else ():
        with contextlib.suppress(OSError):
            # The name of a program stands in parentheses and may hold anything.
            parent = stat.read_text("utf-8", "replace").rpartition(")")[2].split()[1]
            if int(parent) == os.getpid():
                children.append(int(stat.parent.name))
    return children


def signal_group(process: subprocess.Popen[bytes], name: str) -> None:
    """Sends a signal to the process group. On Windows, which has neither signals nor process groups,
    ends the process and the children that the process still has."""
    if POSIX:
        # macOS reports a group with only zombies as PermissionError, not as ProcessLookupError.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, getattr(signal, name))
    elif process.poll() is None:
        # `kill` alone would leave the server behind a script such as `npx.cmd` running:
        # https://learn.microsoft.com/windows-server/administration/windows-commands/taskkill
        with contextlib.suppress(OSError):
            words = ["taskkill", "/PID", str(process.pid), "/T", "/F"]
            subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, check=False)
        process.kill()


def _stop_with(pipe: int, process: subprocess.Popen[bytes]) -> None:
    """Stops the command when the other end of the pipe is closed."""
    os.read(pipe, 1)
    stop(process)


def _leave_it(number: int, frame: FrameType | None) -> None:
    """Nothing."""


def main() -> int:
    """Runs the command with an empty standard input; returns the command's exit code."""
    # The starting process decides and closes the pipe. Signals are handled, since a command
    # inherits ignored signals.
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
