"""A second process that does a part of the work, by `concurrent.futures`."""

from __future__ import annotations

import gc
import itertools
import multiprocessing
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager, suppress
from multiprocessing.process import BaseProcess
from pkgutil import resolve_name
from types import ModuleType, TracebackType
from typing import Any, TypeVar

MIN_PARTS = 100
"""Parts below which one process is faster: a call of GitHub's API takes 3 ms, a process 200 ms to start."""

PIECE = 24
"""Parts per request: neighbors share schemas, and a process resolves a shared schema only once."""

SUBMITTED = 2
"""Pieces that the second process has at a time: one that it works on, and the next."""

Common = TypeVar("Common")
Part = TypeVar("Part")
Result = TypeVar("Result")

PartsFunction = Callable[[Sequence[Part]], list[Result]]
"""Returns a result for each part, in order. Called with pieces of the parts, in any order and in
either process; results are independent of the pieces."""

Work = Callable[[Common], PartsFunction[Part, Result]]
"""A module-level function, since a process gets the function by name. Called once in each process.
"""

_start_lock = threading.Lock()
_requests = itertools.count()


class WorkerPool:
    """This process and, after `start`, a second process. Without the second process, or after a
    failure there, this process does all work.

    `load` are the modules to import and the functions to call at the start of the second process; with
    `()` there is no second process. `library` is the slowest import of `load`: no process is
    started if this process has imported `library` already. `meanwhile` is called once in this process,
    before this process takes parts of the first work that the second process has begun.

    >>> with WorkerPool(["mcpgen.emit.models:load_library"], "datamodel_code_generator") as pool:
    ...     pool.start()
    """

    def __init__(
        self,
        load: Sequence[str] = ("mcpgen.lower", "mcpgen.emit"),
        library: str = "",
        meanwhile: Callable[[], None] | None = None,
    ) -> None:
        self._load = load
        self._library = library
        self._meanwhile = meanwhile
        self._executor: ProcessPoolExecutor | None = None
        self._processes: list[BaseProcess] = []

    def __enter__(self) -> WorkerPool:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.end()

    def start(self) -> None:
        """Starts the second process if there is a second processor, and returns at once."""
        if self._executor is not None or not sys.executable or _processors() < 2:
            return
        if not self._load or self._library in sys.modules:
            return
        # `fork` would copy locks that other threads of a program hold.
        context = multiprocessing.get_context("spawn")
        with suppress(OSError), _spawn_environment():
            executor = ProcessPoolExecutor(1, context, _initialize)
            executor.submit(_load_modules, self._load)
            self._executor = executor
            # `shutdown` forgets the processes.
            self._processes = [*executor._processes.values()]

    def end(self) -> None:
        """Kills the second process; later work is done in this process."""
        executor, self._executor = self._executor, None
        if executor is not None:
            # `ProcessPoolExecutor.kill_workers` came with Python 3.14; `shutdown` waits for a running task.
            for process in self._processes:
                process.kill()
            executor.shutdown()

    def end_when_done(self) -> None:
        """Ends the second process after the submitted parts; later work is done in this process."""
        if self._executor is not None:
            self._executor.shutdown(wait=False)

    def map(
        self,
        work: Work[Common, Part, Result],
        common: Common,
        parts: Sequence[Part],
        local: PartsFunction[Part, Result] | None = None,
    ) -> list[Result]:
        """The results of `work(common)` for the parts, in order. This process calls `local` instead
        of `work(common)`."""
        with self.submit(work, common, parts, local) as finish:
            return finish()

    @contextmanager
    def submit(
        self,
        work: Work[Common, Part, Result],
        common: Common,
        parts: Sequence[Part],
        local: PartsFunction[Part, Result] | None = None,
        min_parts: int = MIN_PARTS,
    ) -> Iterator[Callable[[], list[Result]]]:
        """Starts the parts in the second process. Yields a function that does the remaining parts
        in this process and returns all results, in order. Fewer than `min_parts` are done in this
        process. If the body raises, the second process is killed."""
        executor = self._executor
        if executor is None or len(parts) < min_parts:
            yield lambda: (local or work(common))(parts)
            return
        pieces = [parts[start : start + PIECE] for start in range(0, len(parts), PIECE)]
        queue = _Queue(executor, work, common, pieces)
        if self._meanwhile:
            self._meanwhile()
            self._meanwhile = None

        def finish() -> list[Result]:
            function = local or work(common)
            results = {number: function(pieces[number]) for number in queue.remaining()}
            for number, piece in enumerate(pieces):
                if number not in results:
                    # The second process failed: this process repeats the piece, and raises if the
                    # piece fails again.
                    result = queue.result(number)
                    results[number] = function(piece) if result is None else result
            return [result for number in range(len(pieces)) for result in results[number]]

        try:
            yield finish
        except BaseException:
            self.end()
            raise


IN_PROCESS = WorkerPool(load=())
"""This process alone."""


class _Queue:
    """Pieces that the second process takes from the front, and this process from the back.

    A piece is submitted when the second process needs it. A future is never cancelled: Python 3.11 raises
    InvalidStateError in a thread when a process is killed while the executor holds a cancelled future.
    """

    def __init__(
        self, executor: ProcessPoolExecutor, work: Any, common: Any, pieces: Sequence[Any]
    ) -> None:
        # A number for each request: a piece with a `common` that cannot be pickled must not use the
        # previous `common`.
        self._request = next(_requests)
        self._executor = executor
        self._pieces = pieces
        self._waiting = deque(range(len(pieces)))
        self._futures: dict[int, Future[Any]] = {}
        self._lock = threading.Lock()
        with suppress(RuntimeError):
            executor.submit(_prepare, self._request, work, common)
        for _ in range(SUBMITTED):
            self._submit_next()

    def remaining(self) -> Iterator[int]:
        """Takes the numbers of the pieces that are not submitted, from the back."""
        while True:
            with self._lock:
                if not self._waiting:
                    return
                number = self._waiting.pop()
            yield number

    def result(self, number: int) -> list[Any] | None:
        """Waits for a submitted piece. None if the second process failed."""
        future = self._futures[number]
        return future.result() if future.exception() is None else None

    def _submit_next(self, done: Future[Any] | None = None) -> None:
        """Submits one more piece, unless the second process failed."""
        if done is not None and done.exception() is not None:
            return
        with self._lock:
            if not self._waiting:
                return
            try:
                future = self._executor.submit(
                    _run_piece, self._request, self._pieces[self._waiting[0]]
                )
            except RuntimeError:
                return  # The second process has ended.
            self._futures[self._waiting.popleft()] = future
        future.add_done_callback(self._submit_next)


_prepared: tuple[int, PartsFunction[Any, Any]] | None = None
"""The request that the second process works on, and its function."""


def _prepare(request: int, work: Work[Any, Any, Any], common: Any) -> None:
    global _prepared
    _prepared = request, work(common)


def _run_piece(request: int, piece: Sequence[Any]) -> list[Any]:
    if _prepared is None or _prepared[0] != request:
        raise LookupError(f"request {request} was not prepared")
    return _prepared[1](piece)


def _initialize() -> None:
    """Sets up the second process."""
    # An interrupt reaches both processes; this process ends the second.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # As in `mcpgen.cli`: fewer collections, since all objects live until the end.
    gc.set_threshold(500_000, 20, 20)


def _load_modules(names: Sequence[str]) -> None:
    for name in names:
        loaded = resolve_name(name)
        if callable(loaded):
            loaded()


@contextmanager
def _spawn_environment() -> Iterator[None]:
    """The environment for starting the second process.

    `multiprocessing` imports the main module again in a spawned process: a script that calls
    `build` without `if __name__ == "__main__"` would run twice. An empty module replaces the main
    module meanwhile. `PYTHONSAFEPATH` prevents modules of the current folder from hiding modules of
    the standard library.
    """
    with _start_lock:
        main, safe_path = sys.modules["__main__"], os.environ.get("PYTHONSAFEPATH")
        sys.modules["__main__"] = ModuleType("__main__")
        os.environ["PYTHONSAFEPATH"] = "1"
        try:
            yield
        finally:
            sys.modules["__main__"] = main
            if safe_path is None:
                del os.environ["PYTHONSAFEPATH"]
            else:
                os.environ["PYTHONSAFEPATH"] = safe_path


def _processors() -> int:
    """The processors that this process may use."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
