"""How much memory a process and its children hold together, at most."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread

PROC = Path("/proc")
INTERVAL = 0.01
RSS_UNIT = 1 if sys.platform == "darwin" else 1024
"""What `ru_maxrss` counts in: bytes on macOS, kibibytes elsewhere."""


class Watch:
    """The peak so far, in bytes; pages that processes share are counted once for each."""

    def __init__(self, pid: int) -> None:
        self.peak = 0
        self._pid = pid
        self._over = Event()

    def at_least(self, max_rss: int) -> int:
        """The peak; without `/proc` it is the `ru_maxrss` of the largest single process, in which Linux
        counts also what the process held that started it."""
        return self.peak or max_rss * RSS_UNIT

    def run(self) -> None:
        """Samples until it is told to stop."""
        while not self._over.wait(INTERVAL):
            self.peak = max(self.peak, sum(map(_resident, _family(self._pid))))

    def stop(self) -> None:
        """Ends `run`."""
        self._over.set()


@contextmanager
def watched(pid: int) -> Iterator[Watch]:
    """The watch over a process while the body runs."""
    watch = Watch(pid)
    thread = Thread(target=watch.run)
    thread.start()
    try:
        yield watch
    finally:
        watch.stop()
        thread.join()


def _family(pid: int) -> Iterator[int]:
    """The process and all that descend from it."""
    yield pid
    with contextlib.suppress(OSError):
        for children in (PROC / str(pid) / "task").glob("*/children"):
            for child in children.read_text().split():
                yield from _family(int(child))


def _resident(pid: int) -> int:
    """Bytes of a process's resident set; 0 if it has gone."""
    try:
        pages = int((PROC / str(pid) / "statm").read_text().split()[1])
    except (OSError, IndexError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")
