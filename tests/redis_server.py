"""A real Redis for tests: started on a free port, stopped, and started again where it was."""

from __future__ import annotations

import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass
class RedisServer:
    """One Redis, which keeps nothing on disk."""

    port: int
    process: subprocess.Popen[bytes] | None = field(default=None, repr=False)

    @property
    def url(self) -> str:
        """Its URL."""
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        """Starts it, and waits until it answers."""
        program = shutil.which("redis-server")
        assert program, "redis-server is not installed; the tests need it"
        options = ["--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--dir", "/tmp"]
        quiet = subprocess.DEVNULL
        self.process = subprocess.Popen([program, *options], stdout=quiet, stderr=quiet)
        for _ in range(200):
            if self._answers():
                return
            time.sleep(0.05)
        raise TimeoutError("redis-server does not answer")

    def stop(self) -> None:
        """Ends it at once."""
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process = None

    def _answers(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self.port), 0.5) as connection:
                connection.sendall(b"PING\r\n")
                return connection.recv(16).startswith(b"+PONG")
        except OSError:
            return False


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@contextmanager
def redis_server() -> Iterator[RedisServer]:
    """A Redis that runs."""
    server = RedisServer(free_port())
    server.start()
    try:
        yield server
    finally:
        server.stop()
