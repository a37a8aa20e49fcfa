"""A command run once: how long it took and how much memory it held."""

from __future__ import annotations

import os
import subprocess
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.rss import watched


@dataclass(frozen=True, slots=True)
class Run:
    """A finished command: wall time and time of the processors in seconds, peak resident memory of
    all its processes in bytes, exit code, output."""

    seconds: float
    processor: float
    peak: int
    code: int
    output: str

    @property
    def failed(self) -> bool:
        """Whether the command has failed."""
        return self.code != 0


def run(command: Sequence[str | Path], folder: Path | None = None) -> Run:
    """The command, run to its end in a process of its own; stdout and stderr are one output."""
    with tempfile.TemporaryFile() as output:
        start = time.perf_counter()
        process = subprocess.Popen(
            command, cwd=folder, stdin=subprocess.DEVNULL, stdout=output, stderr=output
        )
        with watched(process.pid) as watch:
            _, status, usage = os.wait4(process.pid, 0)
            seconds = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        text = output.read().decode(errors="replace")
    processor = usage.ru_utime + usage.ru_stime
    return Run(seconds, processor, watch.at_least(usage.ru_maxrss), process.returncode, text)


def best(command: Sequence[str | Path], folder: Path | None = None, times: int = 3) -> Run:
    """The fastest of several runs: the one that the rest of the machine disturbed least."""
    return min((run(command, folder) for _ in range(times)), key=lambda one: one.seconds)
