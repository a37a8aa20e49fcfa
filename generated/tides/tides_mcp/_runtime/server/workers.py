# Copied by mcpgen from mcpgen-runtime; changes belong in hooks.py or mcpgen.toml.
"""Worker processes that serve at one socket, and the supervisor. Windows lacks the signals; SIGUSR1
ends a worker whose replacement serves."""

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

PATIENCE_SECONDS = 5  # Additional seconds for a stopping worker before the worker is killed
BEAT_SECONDS = 1  # Interval of workers' heartbeats and of the supervisor's checks, in seconds
SIGNAL_SECONDS = 0.1  # Interval at which the supervisor looks at signals, in seconds
MAX_PAUSE_SECONDS = 30  # Maximum pause after workers that could not start, in seconds

_SPAWN = get_context("spawn")


@dataclass(eq=False)
class _Worker:
    """One process. `replaces` is the worker to end once this worker serves; `silent` counts seconds
    without a heartbeat, and `ends_at` is the time at which a leaving process is killed."""

    process: SpawnProcess
    heartbeats: Connection = field(repr=False)
    replaces: _Worker | None = None
    serves: bool = False
    leaves: bool = False
    silent: int = 0
    ends_at: float = inf


class Supervisor:
    """Keeps a number of workers serving at a socket. Restarts dead workers, kills workers without a
    heartbeat, replaces all workers one by one on SIGHUP, and ends the workers gracefully on SIGTERM
    and SIGINT, at once on a second signal."""

    def __init__(
        self, create: Callable[[_Settings], App], settings: _Settings, sock: socket.socket
    ) -> None:
        self._create, self._settings, self._sock = create, settings, sock
        self._workers: list[_Worker] = []
        self._to_replace: deque[_Worker] = deque()
        self._signals: deque[int] = deque()
        self._failures = 0
        self._begins_at = 0.0
        self._watched_at = time.monotonic()
        self._ends = False
        self._has_served = False
        self._has_announced = False

    def run(self, announce: Callable[[], None]) -> None:
        """Runs until all workers have ended. `announce` is called once all workers serve. Raises
        `StartupError` if none of the first workers can start. The process ends afterwards: signals stay
        queued."""
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, lambda number, _: self._signals.append(number))
        while self._workers or not self._ends:
            self._fill()
            self._listen()
            ended_workers = [
                worker for worker in self._workers if worker.process.exitcode is not None
            ]
            for worker in ended_workers:
                self._remove_ended(worker)
            while self._signals:
                self._handle_signal(self._signals.popleft())
            serving = sum(worker.serves and not worker.leaves for worker in self._workers)
            if not self._has_announced and serving == self._settings.workers:
                self._has_announced = True
                announce()
            self._kill_silent()

    def _fill(self) -> None:
        if self._ends or time.monotonic() < self._begins_at:
            return
        if self._failures and not self._has_served:
            # Other first workers may still serve; if none is left, the server ends.
            return
        active = [worker for worker in self._workers if not worker.leaves and not worker.replaces]
        for _ in range(self._settings.workers - len(active)):
            self._start()
        if self._to_replace and all(worker.serves for worker in self._workers):
            self._start(self._to_replace.popleft())

    def _start(self, replaces: _Worker | None = None) -> None:
        reader, writer = _SPAWN.Pipe(duplex=False)
        arguments = (self._create, self._settings, self._sock, writer)
        process = _SPAWN.Process(target=_work, args=arguments, daemon=False)
        # Only the supervisor handles signals that a terminal or service manager sends to all
        # processes.
        signals = (signal.SIGINT, signal.SIGHUP)
        signal.pthread_sigmask(signal.SIG_BLOCK, signals)
        try:
            process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, signals)
        writer.close()
        self._workers.append(_Worker(process, reader, replaces))

    def _listen(self) -> None:
        """Waits for a heartbeat or the end of a worker, at most until the next look at the signals."""
        pipes = {worker.heartbeats: worker for worker in self._workers}
        sentinels = [worker.process.sentinel for worker in self._workers]
        for ready in wait([*sentinels, *pipes], SIGNAL_SECONDS):
            if isinstance(ready, Connection):
                self._read_heartbeat(pipes[ready])

    def _kill_silent(self) -> None:
        """Kills workers without a heartbeat, and workers that do not end in time. Silence is
        counted in rounds of the supervisor: if all processes were paused together, as by `docker
        pause`, only one round has passed."""
        now = time.monotonic()
        if now < self._watched_at + BEAT_SECONDS:
            return
        self._watched_at = now
        longest = self._settings.hang_seconds
        for worker in self._workers:
            worker.silent += BEAT_SECONDS if worker.serves and not worker.leaves else 0
            if longest and worker.silent > longest:
                pid = worker.process.pid
                logger.error("worker %s gave no sign of life for %g s; it is killed", pid, longest)
                worker.process.kill()
                worker.silent = 0
            elif now > worker.ends_at:
                worker.process.kill()

    def _read_heartbeat(self, worker: _Worker) -> None:
        """Handles a heartbeat, or the end of a worker's pipe."""
        if not os.read(worker.heartbeats.fileno(), 4096):
            worker.process.join(PATIENCE_SECONDS)
            return
        worker.silent = 0
        if worker.serves:
            return
        worker.serves = self._has_served = True
        self._failures = 0
        if worker.replaces:
            self._stop(worker.replaces, signal.SIGUSR1)
            worker.replaces = None

    def _remove_ended(self, worker: _Worker) -> None:
        self._workers.remove(worker)
        worker.heartbeats.close()
        if worker.leaves or self._ends:
            return
        code = worker.process.exitcode
        if worker.serves:
            self._to_replace = deque(queued for queued in self._to_replace if queued is not worker)
            for successor in self._workers:
                if successor.replaces is worker:
                    successor.replaces = None
            logger.warning("a worker ended (exit code %s); another takes its place", code)
        elif not self._has_served and not self._workers:
            raise StartupError("a worker ended before it served")
        else:
            self._failures += 1
            pause = min(2**self._failures, MAX_PAUSE_SECONDS)
            self._begins_at = time.monotonic() + pause
            self._to_replace.clear()
            logger.error("a worker could not start (exit code %s); %s s to the next", code, pause)

    def _handle_signal(self, signal_number: int) -> None:
        if signal_number == signal.SIGHUP:
            serving = (worker for worker in self._workers if worker.serves and not worker.leaves)
            self._to_replace = deque() if self._ends else deque(serving)
        elif self._ends:
            for worker in self._workers:
                worker.process.kill()
        else:
            self._ends = True
            self._sock.close()
            for worker in self._workers:
                self._stop(worker)

    def _stop(self, worker: _Worker, signal_number: int = signal.SIGTERM) -> None:
        worker.leaves = True
        settings = self._settings
        longest = settings.drain_seconds + LINGER_SECONDS + settings.grace_seconds
        worker.ends_at = time.monotonic() + longest + PATIENCE_SECONDS
        # Reading `exitcode` reaps the process, so a process without an exit code still owns its
        # pid.
        if worker.process.pid and worker.process.exitcode is None:
            os.kill(worker.process.pid, signal_number)


def _work(
    create: Callable[[_Settings], App], settings: _Settings, sock: socket.socket, writer: Connection
) -> None:
    """Serves at the socket in a worker process, until signalled to end."""
    open_standard_streams()
    configure_logging(settings)
    threading.Thread(target=_end_with_parent, daemon=True).start()

    os.set_blocking(writer.fileno(), False)

    def beat() -> None:
        # A stopped supervisor lets the pipe fill up; a dead supervisor has closed the pipe.
        with suppress(BlockingIOError, BrokenPipeError):
            os.write(writer.fileno(), b".")

    def started_serving() -> None:
        beat()
        logger.info("Process %d serves", os.getpid())

    server = DrainingServer(create(settings), started_serving, beat)
    signal.signal(signal.SIGUSR1, lambda *_: server.give_way())
    server.run([sock])


def _end_with_parent() -> None:
    """Ends the worker when the supervisor has died."""
    parent = parent_process()
    if parent:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)
