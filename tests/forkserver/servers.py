"""Starts servers of projects in forks of a process that has loaded the common libraries.

The SDK takes a second to load, a project a tenth of a second. A fork runs `python -m PACKAGE` in the
project's folder without modules of the project loaded before. Needs a system with fork.
`fork_worker.py` cannot serve here: that process loads nothing of mcpgen, and waits for the end of each
run.
"""

from __future__ import annotations

import multiprocessing
import os
import runpy
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import IO

from tests.forkserver.fork_worker import OF_SERVERS


class ForkedProcess:
    """`python -m MODULE` in a fork, with the methods of `subprocess.Popen` and binary pipes.

    Standard error is a pipe, or the file `errors`.
    """

    def __init__(
        self,
        folder: Path,
        module: str,
        *arguments: str,
        environment: Mapping[str, str],
        errors: Path | None = None,
    ) -> None:
        context = _forkserver()
        pipes = [context.Pipe(duplex=False) for _ in range(3)]
        (stdin, to_stdin), (stdout, to_stdout), (stderr, to_stderr) = pipes
        streams = (stdin, to_stdout, errors or to_stderr)
        self._process = context.Process(
            target=_serve, args=(folder, [module, *arguments], dict(environment), streams)
        )
        self._process.start()
        for connection in (stdin, to_stdout, to_stderr):
            connection.close()
        self.stdin = _stream(to_stdin, "wb")
        self.stdout = _stream(stdout, "rb")
        self.stderr = _stream(stderr, "rb")

    def __enter__(self) -> ForkedProcess:
        return self

    def __exit__(self, *reason: object) -> None:
        """Closes the pipes and waits for the end."""
        for stream in (self.stdout, self.stderr, self.stdin):
            with suppress(BrokenPipeError):
                stream.close()
        self._process.join()
        self._process.close()

    def wait(self, timeout: float | None = None) -> int:
        """Returns the exit code. Raises TimeoutExpired."""
        self._process.join(timeout)
        if self._process.exitcode is None:
            raise subprocess.TimeoutExpired("a fork", timeout or 0)
        return self._process.exitcode

    def send_signal(self, number: int) -> None:
        """Sends a signal to a process that runs."""
        if self._process.is_alive() and self._process.pid is not None:
            os.kill(self._process.pid, number)

    def terminate(self) -> None:
        """Sends SIGTERM."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """Sends SIGKILL."""
        self.send_signal(signal.SIGKILL)


def start_server(
    folder: Path, package: str, *arguments: str, environment: Mapping[str, str]
) -> tuple[BaseProcess, IO[str], IO[str]]:
    """Process, output and log of a started server."""
    context = _forkserver()
    output, to_output = context.Pipe(duplex=False)
    log, to_log = context.Pipe(duplex=False)
    arguments_of_server = (
        folder,
        [package, *arguments],
        dict(environment),
        (None, to_output, to_log),
    )
    process = context.Process(target=_serve, args=arguments_of_server)
    process.start()
    for writer in (to_output, to_log):
        writer.close()
    return process, _text(output), _text(log)


@cache
def _forkserver() -> ForkServerContext:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([*OF_SERVERS])
    return context


def _text(reader: Connection) -> IO[str]:
    """A binary pipe as a text stream."""
    with reader:
        return os.fdopen(os.dup(reader.fileno()), encoding="utf-8")


def _stream(connection: Connection, mode: str) -> IO[bytes]:
    """A pipe as a binary stream."""
    with connection:
        return os.fdopen(os.dup(connection.fileno()), mode)


def _serve(
    folder: Path,
    words: list[str],
    environment: dict[str, str],
    streams: Sequence[Connection | Path | None],
) -> None:
    """Runs a module as `__main__`, with its own streams (those that are given), folder and
    environment."""
    for number, stream in enumerate(streams):
        if stream:
            buffered_writer = stream.open("ab") if isinstance(stream, Path) else stream
            os.dup2(buffered_writer.fileno(), number)
            buffered_writer.close()
    # The streams of this process belong to the descriptors of the fork server, or to the null device.
    if streams[0]:
        sys.stdin = os.fdopen(0, closefd=False)
    sys.stdout = os.fdopen(1, "w", buffering=1, closefd=False)
    sys.stderr = os.fdopen(2, "w", buffering=1, closefd=False)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = words
    sys.path.insert(0, str(folder))
    runpy.run_module(words[0], run_name="__main__", alter_sys=True)
