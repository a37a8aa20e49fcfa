"""A time limit interrupts a library that does not end."""

import signal
import time

import pytest

from mcpgen.parse.validate import TimeLimitExceeded, at_most


def test_a_block_that_does_not_end_is_interrupted():
    with pytest.raises(TimeLimitExceeded, match="it took longer than"), at_most(0.05):
        time.sleep(60)


def test_a_block_that_ends_leaves_no_timer_behind():
    before = signal.getsignal(signal.SIGALRM)

    with at_most(60):
        pass

    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    assert signal.getsignal(signal.SIGALRM) is before
