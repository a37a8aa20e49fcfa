"""How long each phase of a build takes."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from mcpgen.pipeline.result import ProgressCallback


class PhaseTimer:
    """Seconds by phase; a phase that is entered twice adds up."""

    def __init__(self, tell: ProgressCallback | None = None) -> None:
        self.seconds: dict[str, float] = {}
        self._tell = tell

    @contextmanager
    def phase(self, name: str) -> Iterator[None]:
        """Counts the time of the body of the `with` statement."""
        if self._tell:
            self._tell(name)
        started = time.perf_counter()
        try:
            yield
        finally:
            spent = time.perf_counter() - started
            self.seconds[name] = self.seconds.get(name, 0.0) + spent
