"""The process beside, and how work is divided with it.

It is a plain interpreter that is asked through a pipe, started alike on every system: nothing is
forked, so no thread or lock of this process can be in its way. What goes through the pipe is pickled,
and comes from ourselves alone. Where it cannot be had, or ends early, everything is done here.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Any, TypeVar

FEW = 100
"""Parts below which dividing does not pay."""

_PROGRAM = """
import gc, signal
signal.signal(signal.SIGINT, signal.SIG_IGN)
gc.set_threshold(50_000, 20, 20)
import mcpgen.lower, mcpgen.emit
from mcpgen.crew import answer
answer()
"""
"""What the process runs. An interrupted build ends it; it has nothing to say about that itself."""

_CUT = (EOFError, OSError, pickle.UnpicklingError, AttributeError, ImportError, IndexError)
"""What pickle raises for something that ends early."""

Common = TypeVar("Common")
Part = TypeVar("Part")
Made = TypeVar("Made")

Work = Callable[[Common, Sequence[Part]], list[Made]]
"""A function of a module: what it makes of several parts, one result each, in their order, and
independent of each other."""


class Crew:
    """This process and, once `start` was called, one beside it."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Crew:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.end()

    def end(self) -> None:
        """Ends the process; from now on everything is done here."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None

    def start(self) -> None:
        """Starts the process, which takes a moment in which nobody has to wait for it; none where
        there is no second processor."""
        if self._process is not None or not sys.executable or _processors() < 2:
            return
        path = os.pathsep.join(folder for folder in sys.path if folder)
        environment = {**os.environ, "PYTHONPATH": path}
        pipe = subprocess.PIPE
        command = [sys.executable, "-P", "-c", _PROGRAM]
        try:
            self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, env=environment)
        except OSError:
            self._process = None

    def divided(
        self, work: Work[Common, Part, Made], common: Common, parts: Sequence[Part]
    ) -> list[Made]:
        """What `work` makes of the parts, in their order: every second one is made beside."""
        if len(parts) < FEW or not self._asked(work, common, parts[1::2]):
            return work(common, parts)
        here = work(common, parts[0::2])
        beside = self._answered()
        if beside is None:
            beside = work(common, parts[1::2])
        made: list[Made] = [*here, *beside]
        made[0::2], made[1::2] = here, beside
        return made

    def _asked(self, *question: object) -> bool:
        """Whether the process has taken the question."""
        if self._process is None or self._process.stdin is None:
            return False
        try:
            pickle.dump(question, self._process.stdin, pickle.HIGHEST_PROTOCOL)
            self._process.stdin.flush()
        except (OSError, RecursionError):
            self.end()
            return False
        return True

    def _answered(self) -> list[Any] | None:
        """What the process has made, None if it has not."""
        if self._process is None or self._process.stdout is None:
            return None
        try:
            made: list[Any] = pickle.load(self._process.stdout)
        except _CUT:
            self.end()
            return None
        return made


def _processors() -> int:
    """The processors that this process may use."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


ALONE = Crew()
"""Nobody but this process."""


def answer() -> None:
    """Answers questions from standard input on standard output, until there are none."""
    while True:
        try:
            work, common, parts = pickle.load(sys.stdin.buffer)
        except _CUT:
            return
        pickle.dump(work(common, parts), sys.stdout.buffer, pickle.HIGHEST_PROTOCOL)
        sys.stdout.buffer.flush()
