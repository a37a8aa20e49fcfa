"""Runs a command and measures wall time, processor time and peak memory."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Thread

PROC = Path("/proc")
SAMPLE_SECONDS = 0.01
RSS_UNIT = 1 if sys.platform == "darwin" else 1024
"""Bytes in a unit of `ru_maxrss`: macOS counts bytes, other systems count kibibytes (getrusage(2))."""


@dataclass(frozen=True, slots=True)
class Run:
    """A finished command: wall time and processor time in seconds, peak resident memory of the process
    tree in bytes, exit code, and stdout with stderr."""

    seconds: float
    processor: float
    peak: int
    code: int
    output: str

    @property
    def failed(self) -> bool:
        """True for an exit code other than 0."""
        return self.code != 0


def run_process(command: Sequence[str | Path], folder: Path | None = None) -> Run:
    """Runs a command in `folder` (default: the current one) until the process ends."""
    with tempfile.TemporaryFile() as output:
        start = time.perf_counter()
        process = subprocess.Popen(
            command, cwd=folder, stdin=subprocess.DEVNULL, stdout=output, stderr=output
        )
        with _sample_memory(process.pid) as sampler:
            _, status, usage = os.wait4(process.pid, 0)
            seconds = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        text = output.read().decode(errors="replace")
    processor = usage.ru_utime + usage.ru_stime
    # `ru_maxrss` is the fallback without /proc: Linux counts the memory of the parent before exec, too.
    peak = sampler.peak or usage.ru_maxrss * RSS_UNIT
    return Run(seconds, processor, peak, process.returncode, text)


def best(command: Sequence[str | Path], folder: Path | None = None, times: int = 3) -> Run:
    """The fastest of several runs, since other load of the machine only ever adds time."""
    return min((run_process(command, folder) for _ in range(times)), key=lambda run: run.seconds)


class PeakSampler:
    """Samples the memory of a process tree every 10 ms. `peak` is in bytes; shared pages count once per
    process."""

    def __init__(self, pid: int) -> None:
        self.peak = 0
        self._pid = pid
        self._stopped = Event()

    def run(self) -> None:
        """Samples until `stop` is called."""
        while not self._stopped.wait(SAMPLE_SECONDS):
            tree = map(resident_bytes, process_tree(self._pid))
            self.peak = max(self.peak, sum(tree))

    def stop(self) -> None:
        """Ends the sampling."""
        self._stopped.set()


@contextmanager
def _sample_memory(pid: int) -> Iterator[PeakSampler]:
    """Samples the memory of a process tree in a thread while the body runs."""
    sampler = PeakSampler(pid)
    thread = Thread(target=sampler.run)
    thread.start()
    try:
        yield sampler
    finally:
        sampler.stop()
        thread.join()


def process_tree(pid: int) -> Iterator[int]:
    """Ids of a process and of its descendants; only `pid` without `/proc`."""
    yield pid
    with contextlib.suppress(OSError):
        for children in (PROC / str(pid) / "task").glob("*/children"):
            for child in children.read_text().split():
                yield from process_tree(int(child))


def resident_bytes(pid: int) -> int:
    """Bytes of a process's resident set; 0 for a process that has ended."""
    try:
        pages = int((PROC / str(pid) / "statm").read_text().split()[1])
    except (OSError, IndexError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


def peak_resident_bytes(pid: int) -> int:
    """Bytes of a process's largest resident set since exec, as Linux counts them; 0 where unknown."""
    try:
        lines = (PROC / str(pid) / "status").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM:")), 0)
