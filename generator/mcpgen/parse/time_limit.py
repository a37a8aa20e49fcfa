"""How long a library may take before it is interrupted."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class TimeLimitExceeded(Exception):
    """What ran took longer than it was given."""


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Interrupts the block with OutOfTime when it takes longer.

    A timer's signal reaches Python code and the `re` module, where a hostile document makes a
    validator stay. Only the main thread can have one, and only where the system has timers;
    elsewhere the block takes the time it takes.
    """
    timers = hasattr(signal, "setitimer")
    if not timers or threading.current_thread() is not threading.main_thread():
        yield
        return

    def ring(number: int, frame: FrameType | None) -> None:
        raise TimeLimitExceeded(f"it took longer than {seconds:g} seconds")

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
