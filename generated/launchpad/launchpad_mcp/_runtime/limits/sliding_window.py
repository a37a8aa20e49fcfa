"""Stores that count calls in sliding windows, and the store in the memory of this process."""

from __future__ import annotations

from collections import OrderedDict, deque
from math import ceil
from time import monotonic
from typing import Protocol

from limits import RateLimitItem

MOST_KEYS = 100_000
"""Of how many subjects, tools and addresses the calls are counted at once, for windows of one
length. The one that has been quiet for longest is forgotten for the next."""


class CallCounter(Protocol):
    """Counts calls. `alone` tells that the store counts the calls of this process only."""

    alone: bool

    async def take(self, rate: RateLimitItem, *key: str) -> int:
        """Counts a call if the call is within the rate, and returns 0; otherwise returns the seconds
        to wait, from 1 to the length of the window. Raises `StoreUnavailable`."""
        ...

    async def failure(self) -> str:
        """Why calls cannot be counted now, `""` if they can."""
        ...

    async def close(self) -> None:
        """Closes connections."""
        ...


class SlidingWindows:
    """The times of the last calls of each key, as many as its rate allows, by the monotonic clock: a
    clock that is set neither opens nor locks a window.

    The store in memory of the library `limits` looks through all keys at every call, in threads; this
    one forgets ended windows at each call, and the cost of a call does not depend on the number of keys.
    """

    alone = True

    def __init__(self, most: int = MOST_KEYS) -> None:
        self._most = most
        self._times: dict[int, OrderedDict[str, deque[float]]] = {}

    async def take(self, rate: RateLimitItem, *key: str) -> int:
        """Counts a call if the call is within the rate, and returns 0; otherwise returns the seconds
        to wait."""
        now, window = monotonic(), rate.get_expiry()
        keys = self._times.setdefault(window, OrderedDict())
        name = rate.key_for(*key)
        times = keys.setdefault(name, deque(maxlen=rate.amount))
        keys.move_to_end(name)
        _forget(keys, now - window, self._most)
        if len(times) == rate.amount and times[0] >= now - window:
            return max(1, ceil(times[0] + window - now))
        times.append(now)
        return 0

    async def failure(self) -> str:
        """Never a reason: memory is always there."""
        return ""

    async def close(self) -> None:
        """Nothing is open."""

    def __len__(self) -> int:
        return sum(map(len, self._times.values()))


def _forget(keys: OrderedDict[str, deque[float]], before: float, most: int) -> None:
    """Drops two of the keys whose windows have ended, so that they go faster than new ones come,
    and the one that was quiet for longest where there are too many. The last one is in use, and
    stays."""
    for _ in range(min(2, len(keys) - 1)):
        key, times = next(iter(keys.items()))
        if len(keys) > most or (times and times[-1] < before):
            del keys[key]
