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
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from functools import cache
from itertools import islice
from queue import SimpleQueue
from threading import Thread
from types import TracebackType
from typing import IO, Any, TypeVar

FEW = 100
"""Parts below which dividing does not pay."""

PIECE = 24
"""Neighbours that one process makes: what they have in common is looked at once."""

AHEAD = 2
"""Pieces that the process beside has been asked for, so that it need not wait for the next."""

TURN = 0.001
"""Seconds after which the thread that asks gets its turn; it has little to do, but soon."""

_PROGRAM = """
import gc, signal
signal.signal(signal.SIGINT, signal.SIG_IGN)
gc.set_threshold(500_000, 20, 20)
{load}
from mcpgen.parallel import answer
answer()
"""
"""The program of the process. An interrupted build ends the process, which prints nothing about it."""

Common = TypeVar("Common")
Part = TypeVar("Part")
Made = TypeVar("Made")

Make = Callable[[Sequence[Part]], list[Made]]
"""Makes one result of each of several parts, in their order; it is asked for pieces of the parts, in
whatever order, and none depends on the others."""

Work = Callable[[Common], Make[Part, Made]]
"""A function of a module, which gives what makes the results."""


class WorkerPool:
    """This process and, once `start` was called, one beside it.

    `load` are the statements that the process runs before it is asked for anything; with `""` no
    process is started. `library` is the module that takes most of its time to load: no process is
    started where this one has loaded it.
    """

    def __init__(self, load: str = "import mcpgen.lower, mcpgen.emit", library: str = "") -> None:
        self._load = load
        self._library = library
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> WorkerPool:
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
        if not self._load or self._library in sys.modules:
            return
        path = os.pathsep.join(folder for folder in sys.path if folder)
        environment = {**os.environ, "PYTHONPATH": path}
        pipe = subprocess.PIPE
        command = [sys.executable, "-P", "-c", _PROGRAM.format(load=self._load)]
        try:
            self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, env=environment)
        except OSError:
            self._process = None

    def map(
        self,
        work: Work[Common, Part, Made],
        common: Common,
        parts: Sequence[Part],
        here: Make[Part, Made] | None = None,
    ) -> list[Made]:
        """What `work` makes of the parts, in their order; each piece of them is made by the process
        that is free. `here` is what makes them in this one, if not what `work` gives."""
        with self.submit(work, common, parts, here) as finished:
            return finished()

    @contextmanager
    def submit(
        self,
        work: Work[Common, Part, Made],
        common: Common,
        parts: Sequence[Part],
        here: Make[Part, Made] | None = None,
        few: int = FEW,
    ) -> Iterator[Callable[[], list[Made]]]:
        """Has the process beside make pieces of the parts from now on; the function it gives makes
        those that are left and returns what `work` makes of all, in their order. Fewer than `few` parts
        are made in this process."""
        process = self._process
        if len(parts) < few or process is None:
            yield lambda: (here or work(common))(parts)
            return
        pieces = [parts[start : start + PIECE] for start in range(0, len(parts), PIECE)]
        answers: dict[int, list[Made]] = {}
        # Both take the next number from it; to take one is a single step of the interpreter.
        waiting = iter(range(len(pieces)))
        beside = Thread(target=_ask, args=(process, (work, common), pieces, waiting, answers))

        def finished() -> list[Made]:
            make = here or work(common)
            for number in waiting:
                answers[number] = make(pieces[number])
            beside.join()
            for number, piece in enumerate(pieces):
                if number not in answers:
                    answers[number] = make(piece)
            return [made for number in range(len(pieces)) for made in answers[number]]

        with _in_turns():
            beside.start()
            try:
                yield finished
            finally:
                if beside.is_alive():
                    process.kill()
                    # What follows may undo what it was about to do.
                    process.wait()
                beside.join()
                if process.poll() is not None:
                    self.end()


def _ask(
    process: subprocess.Popen[bytes],
    begin: tuple[Any, Any],
    pieces: Sequence[Sequence[Any]],
    waiting: Iterator[int],
    answers: dict[int, list[Any]],
) -> None:
    """Has the process make pieces that wait, until none does; those it has not made are missing among
    the answers, and then it has ended: what is left of them in the pipes answers nothing else."""
    assert process.stdin
    assert process.stdout
    asked: deque[int] = deque()
    try:
        _send(process.stdin, begin)
        while True:
            for number in islice(waiting, AHEAD - len(asked)):
                asked.append(number)
                _send(process.stdin, list(pieces[number]))
            if not asked:
                return
            made = pickle.load(process.stdout)
            answers[asked.popleft()] = made
    except Exception:  # noqa: BLE001
        # What cannot be told or read raises anything. Here the same is made without being told.
        process.kill()
        process.wait()


class DataclassPickler(pickle.Pickler):
    """Writes a dataclass as its class and the values of its fields: what Python brings for one with
    slots asks for the names of the fields anew for every value, here and where it is read."""

    def reducer_override(self, value: object) -> Any:
        """The class of a dataclass and what it is called with; otherwise what is usual."""
        kind: Any = type(value)
        values = _values_of(kind)
        return NotImplemented if values is None else (kind, values(value))


@cache
def _values_of(kind: type) -> Callable[[Any], tuple[Any, ...]] | None:
    """What gives the values of all fields of a dataclass, None for a class that cannot be called
    with these alone."""
    if not is_dataclass(kind) or hasattr(kind, "__post_init__"):
        return None
    if any(each.kw_only or not each.init for each in fields(kind)):
        return None
    names = [field.name for field in fields(kind)]
    return lambda value: tuple([getattr(value, name) for name in names])


def _send(stream: IO[bytes], value: object) -> None:
    DataclassPickler(stream, pickle.HIGHEST_PROTOCOL).dump(value)
    stream.flush()


@contextmanager
def _in_turns() -> Iterator[None]:
    """Threads take turns more often than they usually do."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(TURN)
    try:
        yield
    finally:
        sys.setswitchinterval(usual)


def _processors() -> int:
    """The processors that this process may use."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


IN_PROCESS = WorkerPool(load="")
"""This process alone."""


def answer() -> None:
    """Answers questions from standard input on standard output, until there are none: a pair is the
    work to be done from now on and what its parts have in common, a list are some of them."""
    questions: SimpleQueue[Any] = SimpleQueue()
    # Questions are taken while an answer waits for its reader, so that nobody waits for the other.
    Thread(target=_receive, args=(sys.stdin.buffer, questions), daemon=True).start()
    make: Callable[[Sequence[Any]], list[Any]] | None = None
    try:
        while (question := questions.get()) is not None:
            if isinstance(question, tuple):
                work, common = question
                make = work(common)
            elif make:
                _send(sys.stdout.buffer, make(question))
    except Exception:  # noqa: BLE001
        # Who has asked makes the same, and tells what is wrong if it fails there as well. A thread
        # still reads, with which Python would not end in peace.
        os._exit(1)


def _receive(stream: IO[bytes], questions: SimpleQueue[Any]) -> None:
    """Puts the questions of a stream into a queue, and None where it ends."""
    try:
        while True:
            questions.put(pickle.load(stream))
    except Exception:  # noqa: BLE001
        # What was cut short raises anything; who has asked makes it without this process.
        questions.put(None)
