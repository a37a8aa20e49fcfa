"""Time limits that only a hanging test exceeds, far beyond the normal time on a loaded machine.
Interrupts the main thread; one limit of a kind at a time."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from types import FrameType

__all__ = ["ends_within", "works_at_most"]


def works_at_most(seconds: float) -> AbstractContextManager[None]:
    """Fails after this many processor seconds; waiting does not count."""
    return _bound(signal.ITIMER_PROF, signal.SIGPROF, seconds)


def ends_within(seconds: float) -> AbstractContextManager[None]:
    """Fails after this many seconds of the clock, for code that waits."""
    return _bound(signal.ITIMER_REAL, signal.SIGALRM, seconds)


@contextmanager
def _bound(timer: int, number: signal.Signals, seconds: float) -> Iterator[None]:
    messages: list[str] = []

    def broken_off(_number: int, _frame: FrameType | None) -> None:
        messages.append(f"{number.name} after {seconds} s")
        raise AssertionError(messages[0])

    before = signal.signal(number, broken_off)
    signal.setitimer(timer, seconds)
    try:
        yield
    finally:
        signal.setitimer(timer, 0)
        signal.signal(number, before)
    # Whoever was broken off may have taken the exception for a failure of its own.
    assert not messages
