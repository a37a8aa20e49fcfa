# Copied by mcpgen from mcpgen-runtime; changes belong in hooks.py or mcpgen.toml.
"""Stores that count calls in sliding windows, and the store in the memory of this process."""

from __future__ import annotations

from collections import OrderedDict, deque
from math import ceil
from time import monotonic
from typing import Protocol

from limits import RateLimitItem

MAX_KEYS = 100_000
"""Maximum number of keys per window length; the least recently used key is dropped."""


class CallCounter(Protocol):
    """Counts calls. `alone` is true for a store that counts the calls of this process only."""

    alone: bool

    async def take(self, rate: RateLimitItem, *key: str) -> int:
        """Counts a call if the call is within the rate, and returns 0; otherwise returns the seconds
        to wait, from 1 to the length of the window. Raises `StoreUnavailable`."""

    async def failure(self) -> str:
        """The reason why calls cannot be counted, `""` if they can."""

    async def close(self) -> None:
        """Closes connections."""


class SlidingWindows:
    """Times of the last calls per key, by the monotonic clock, so that setting the system clock
    does not open or lock a window.

    The in-memory store of the library `limits` scans all keys in threads at every call; here the
    cost of a call does not depend on the number of keys.
    """

    alone = True

    def __init__(self, max_keys: int = MAX_KEYS) -> None:
        self._max_keys = max_keys
        self._times: dict[int, OrderedDict[str, deque[float]]] = {}

    async def take(self, rate: RateLimitItem, *key: str) -> int:
        """Counts a call if the call is within the rate, and returns 0; otherwise returns the seconds
        to wait."""
        now, window = monotonic(), rate.get_expiry()
        keys = self._times.setdefault(window, OrderedDict())
        name = rate.key_for(*key)
        times = keys.setdefault(name, deque(maxlen=rate.amount))
        keys.move_to_end(name)
        _evict(keys, now - window, self._max_keys)
        if len(times) == rate.amount and times[0] >= now - window:
            return max(1, ceil(times[0] + window - now))
        times.append(now)
        return 0

    async def failure(self) -> str:
        """Always `""`: memory does not fail."""
        return ""

    async def close(self) -> None:
        """Does nothing: there are no connections."""

    def __len__(self) -> int:
        return sum(map(len, self._times.values()))


def _evict(keys: OrderedDict[str, deque[float]], oldest: float, max_keys: int) -> None:
    """Drops up to two keys with expired windows per call, more than a call adds, and the oldest key
    above `max_keys`. The last key is in use and stays."""
    for _ in range(min(2, len(keys) - 1)):
        key, times = next(iter(keys.items()))
        if len(keys) > max_keys or (times and times[-1] < oldest):
            del keys[key]
