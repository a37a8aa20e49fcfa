"""Worker processes that serve at one socket, and the supervisor that starts, watches and ends the workers.

The supervisor ends a worker with SIGTERM, or with SIGUSR1 if another worker already serves in place of the worker.
Windows does not have the signals.
"""

from __future__ import annotations

import logging
import os
import signal
import socket
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from math import inf
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import TypeVar

from ..observability.logs import configure_logging, open_standard_streams
from ..settings import ServerSettings
from .app import App, StartupError
from .process import LINGER_SECONDS, DrainingServer

logger = logging.getLogger(__name__)

_Settings = TypeVar("_Settings", bound=ServerSettings)

KILL_DELAY_SECONDS = 5
"""Seconds for a stopping worker beyond the times of the settings, before the worker is killed: for the
end of the interpreter and the last lines of the log."""

HEARTBEAT_SECONDS = 1  # Interval of the heartbeats of workers and of the checks of the supervisor
POLL_SECONDS = 0.1  # Interval at which the supervisor handles received signals
MAX_RESTART_PAUSE_SECONDS = 30  # Maximum pause after a worker that could not start

# A new interpreter for each worker: a fork would copy locks that threads of the supervisor hold.
_SPAWN = get_context("spawn")


@dataclass(eq=False)
class _Worker:
    """One process. `replaces` is the worker to stop once this worker serves, `silent_seconds` is the
    time without a heartbeat, and `kill_at` is the monotonic time at which a worker that has been told
    to stop is killed."""

    process: SpawnProcess
    heartbeats: Connection = field(repr=False)
    replaces: _Worker | None = None
    is_serving: bool = False
    is_stopping: bool = False
    silent_seconds: int = 0
    kill_at: float = inf

    @property
    def is_available(self) -> bool:
        """True if the worker serves and has not been told to stop."""
        return self.is_serving and not self.is_stopping


class Supervisor:
    """Keeps `settings.workers` workers serving at a socket. Replaces dead workers, kills workers
    without a heartbeat, replaces all workers one by one on SIGHUP, and ends the workers gracefully on
    SIGTERM and SIGINT, at once on a second SIGTERM or SIGINT."""

    def __init__(
        self, create: Callable[[_Settings], App], settings: _Settings, sock: socket.socket
    ) -> None:
        self._create, self._settings, self._sock = create, settings, sock
        self._workers: list[_Worker] = []
        self._to_replace: deque[_Worker] = deque()
        self._signals: deque[int] = deque()
        self._failed_starts = 0  # In a row
        self._next_start_at = 0.0
        self._checked_at = time.monotonic()
        self._is_stopping = False
        self._has_served = False
        self._has_announced = False

    def run(self, announce: Callable[[], None]) -> None:
        """Runs until all workers have ended. Calls `announce` when all workers serve for the first
        time. Raises `StartupError` if none of the first workers can start.

        The signal handlers stay installed and only queue signals, so the process must end afterwards.
        """
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, lambda number, _: self._signals.append(number))
        while self._workers or not self._is_stopping:
            self._start_missing()
            self._wait_for_workers()
            ended_workers = [
                worker for worker in self._workers if worker.process.exitcode is not None
            ]
            for worker in ended_workers:
                self._remove_ended(worker)
            while self._signals:
                self._handle_signal(self._signals.popleft())
            available = sum(worker.is_available for worker in self._workers)
            if not self._has_announced and available == self._settings.workers:
                self._has_announced = True
                announce()
            self._kill_hung()

    def _start_missing(self) -> None:
        """Starts workers up to the number of the settings, and then a worker that replaces another
        worker, unless a worker is starting."""
        if self._is_stopping or time.monotonic() < self._next_start_at:
            return
        if self._failed_starts and not self._has_served:
            # Another of the first workers may still start. If none does, `_remove_ended` raises.
            return
        active = sum(not worker.is_stopping and not worker.replaces for worker in self._workers)
        for _ in range(self._settings.workers - active):
            self._start()
        if self._to_replace and all(worker.is_serving for worker in self._workers):
            self._start(self._to_replace.popleft())

    def _start(self, replaces: _Worker | None = None) -> None:
        reader, writer = _SPAWN.Pipe(duplex=False)
        arguments = (self._create, self._settings, self._sock, writer)
        process = _SPAWN.Process(target=_work, args=arguments, daemon=False)
        # A terminal or service manager sends signals to all processes, and only the supervisor
        # handles them: the worker inherits the blocked signals.
        signals = (signal.SIGINT, signal.SIGHUP)
        signal.pthread_sigmask(signal.SIG_BLOCK, signals)
        try:
            process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, signals)
        writer.close()
        self._workers.append(_Worker(process, reader, replaces))

    def _wait_for_workers(self) -> None:
        """Waits for a heartbeat or the end of a worker, at most `POLL_SECONDS`."""
        pipes = {worker.heartbeats: worker for worker in self._workers}
        sentinels = [worker.process.sentinel for worker in self._workers]
        for ready in wait([*sentinels, *pipes], POLL_SECONDS):
            if isinstance(ready, Connection):
                self._read_heartbeat(pipes[ready])

    def _kill_hung(self) -> None:
        """Kills workers without a heartbeat for `hang_seconds`, and workers that do not stop in time.
        The supervisor counts its checks instead of reading a clock: if all processes were paused
        together, as by `docker pause`, only one check has passed."""
        now = time.monotonic()
        if now < self._checked_at + HEARTBEAT_SECONDS:
            return
        self._checked_at = now
        hang_seconds = self._settings.hang_seconds
        for worker in self._workers:
            if worker.is_available:
                worker.silent_seconds += HEARTBEAT_SECONDS
            if hang_seconds and worker.silent_seconds > hang_seconds:
                pid = worker.process.pid
                logger.error(
                    "worker %s gave no sign of life for %g s; it is killed", pid, hang_seconds
                )
                worker.process.kill()
                worker.silent_seconds = 0
            elif now > worker.kill_at:
                worker.process.kill()

    def _read_heartbeat(self, worker: _Worker) -> None:
        """Handles heartbeats, the first of which means that the worker serves, or the end of the
        worker's pipe."""
        if not os.read(worker.heartbeats.fileno(), 4096):
            # The process is about to end. Without the `join`, `_wait_for_workers` would return at once
            # until then, since a closed pipe is always ready.
            worker.process.join(KILL_DELAY_SECONDS)
            return
        worker.silent_seconds = 0
        if worker.is_serving:
            return
        worker.is_serving = self._has_served = True
        self._failed_starts = 0
        if worker.replaces:
            # SIGUSR1 stops a worker without draining, since another worker serves.
            self._stop(worker.replaces, signal.SIGUSR1)
            worker.replaces = None

    def _remove_ended(self, worker: _Worker) -> None:
        """Removes an ended worker; `_start_missing` replaces the worker. After a worker that could not
        start, the next start waits, twice as long after each failure. Raises `StartupError` if no
        worker has served and none is left."""
        self._workers.remove(worker)
        worker.heartbeats.close()
        if worker.is_stopping or self._is_stopping:
            return
        code = worker.process.exitcode
        if worker.is_serving:
            self._to_replace = deque(queued for queued in self._to_replace if queued is not worker)
            for successor in self._workers:
                if successor.replaces is worker:
                    successor.replaces = None
            logger.warning("a worker ended (exit code %s); another takes its place", code)
        elif not self._has_served and not self._workers:
            raise StartupError("a worker ended before it served")
        else:
            self._failed_starts += 1
            pause = min(2**self._failed_starts, MAX_RESTART_PAUSE_SECONDS)
            self._next_start_at = time.monotonic() + pause
            # After a replacement that could not start, no further worker is replaced.
            self._to_replace.clear()
            logger.error("a worker could not start (exit code %s); %s s to the next", code, pause)

    def _handle_signal(self, signal_number: int) -> None:
        """Handles SIGHUP by replacing the workers, and SIGTERM or SIGINT by stopping the workers, or by
        killing them if they are stopping."""
        if signal_number == signal.SIGHUP:
            available = (worker for worker in self._workers if worker.is_available)
            self._to_replace = deque() if self._is_stopping else deque(available)
        elif self._is_stopping:
            for worker in self._workers:
                worker.process.kill()
        else:
            self._is_stopping = True
            # The socket must be open in no process once the workers have closed the socket: new
            # connections are refused then, and do not wait in the queue.
            self._sock.close()
            for worker in self._workers:
                self._stop(worker)

    def _stop(self, worker: _Worker, signal_number: int = signal.SIGTERM) -> None:
        """Tells a worker to stop, and sets the time at which a worker that does not stop is killed."""
        worker.is_stopping = True
        settings = self._settings
        stop_seconds = settings.drain_seconds + LINGER_SECONDS + settings.grace_seconds
        worker.kill_at = time.monotonic() + stop_seconds + KILL_DELAY_SECONDS
        # The pid of an ended process is free for another process only after the process was reaped,
        # and `exitcode` reaps the process: a process without an exit code still has the pid.
        if worker.process.pid and worker.process.exitcode is None:
            os.kill(worker.process.pid, signal_number)


def _work(
    create: Callable[[_Settings], App], settings: _Settings, sock: socket.socket, writer: Connection
) -> None:
    """Serves at the socket in a worker process, until a signal to stop or the end of the supervisor.
    Writes heartbeats to `writer`."""
    open_standard_streams()
    configure_logging(settings)
    threading.Thread(target=_end_with_parent, daemon=True).start()

    os.set_blocking(writer.fileno(), False)

    def beat() -> None:
        # If the supervisor is suspended, the pipe fills up; if it is dead, the pipe is closed.
        with suppress(BlockingIOError, BrokenPipeError):
            os.write(writer.fileno(), b".")

    def report_serving() -> None:
        beat()
        logger.info("Process %d serves", os.getpid())

    server = DrainingServer(create(settings), report_serving, beat)
    signal.signal(signal.SIGUSR1, lambda *_: server.give_way())
    server.run([sock])


def _end_with_parent() -> None:
    """Waits in a thread for the end of the supervisor, and then stops the worker."""
    parent = parent_process()
    if parent:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)
