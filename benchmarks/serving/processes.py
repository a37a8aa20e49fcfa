"""Measured servers as processes: what they cost, and how much memory they hold."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.servers import free_port

ROOT = Path(__file__).parents[2]
PATIENCE = 60.0

_TICK = os.sysconf("SC_CLK_TCK")
_PAGE = os.sysconf("SC_PAGE_SIZE")


@dataclass(frozen=True)
class Process:
    """A process that listens on a port, and how long it took until it did, in seconds of the clock."""

    id: int
    port: int
    ready: float

    def cpu(self) -> float:
        """Seconds of the processor that it and its children have had so far."""
        return sum(map(_cpu, self.family()))

    def memory(self) -> int:
        """Bytes of its resident set."""
        return int(Path(f"/proc/{self.id}/statm").read_text().split()[1]) * _PAGE

    def files(self) -> int:
        """How many files and sockets it has open."""
        return len(list(Path(f"/proc/{self.id}/fd").iterdir()))

    def family(self) -> list[int]:
        """Its id, and those of its children."""
        children = Path(f"/proc/{self.id}/task/{self.id}/children").read_text().split()
        return [self.id, *map(int, children)]


def _cpu(id: int) -> float:
    fields = Path(f"/proc/{id}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICK


@contextmanager
def running(command: Sequence[str | Path], *rest: str, **settings: str) -> Iterator[Process]:
    """A command with a port and more behind it, as a process that has begun to listen. Raises
    `RuntimeError` with what it has written if it does not."""
    port = free_port()
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **settings}
    with tempfile.TemporaryFile() as output:
        began = time.perf_counter()
        process = subprocess.Popen(
            [*command, str(port), *rest], cwd=ROOT, env=environment, stdout=output, stderr=output
        )
        try:
            while not _listens(port):
                if process.poll() is not None or time.perf_counter() > began + PATIENCE:
                    output.seek(0)
                    raise RuntimeError(output.read().decode(errors="replace")[-600:])
                time.sleep(0.005)
            yield Process(process.pid, port, time.perf_counter() - began)
        finally:
            process.terminate()
            process.wait(PATIENCE)


def module(name: str) -> list[str | Path]:
    """The command of a server in this folder."""
    return [sys.executable, "-m", f"benchmarks.serving.{name}"]


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
