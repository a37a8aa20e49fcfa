"""Where calls are counted: sliding windows in the memory of this process."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import cached_property
from math import ceil

from limits import RateLimitItem
from limits.aio.storage import MemoryStorage, Storage
from limits.aio.strategies import MovingWindowRateLimiter

MOST_KEYS = 100_000
"""Of how many subjects, tools and addresses the calls are counted at once, for windows of one
length. The one that has been quiet for longest is forgotten for the next."""

STORE_SECONDS = 1.0
"""How long a store may take to say whether a call may be made."""


class Unreachable(Exception):
    """The store does not answer, so nobody knows how many calls there were."""


class Windows(MemoryStorage):
    """The times of the last calls of each key, no more than its rate allows.

    The library's own store looks through all keys at every call, in threads; this one forgets those
    that have ended as it goes, and the cost of a call does not depend on how many keys there are.
    """

    def __init__(self, most: int = MOST_KEYS) -> None:
        super().__init__()
        self._most = most
        self._times: dict[int, OrderedDict[str, deque[float]]] = {}

    async def acquire_entry(self, key: str, limit: int, expiry: int, amount: int = 1) -> bool:
        """Whether another `amount` of calls is within the rate; if so, they are counted."""
        now = time.time()
        keys = self._times.setdefault(expiry, OrderedDict())
        times = keys.setdefault(key, deque(maxlen=limit))
        keys.move_to_end(key)
        _forget(keys, now - expiry, self._most)
        over = len(times) + amount - limit
        if amount > limit or (over > 0 and times[over - 1] >= now - expiry):
            return False
        times.extend([now] * amount)
        return True

    async def get_moving_window(self, key: str, limit: int, expiry: int) -> tuple[float, int]:
        """When the oldest call of the window was made, and how many there are."""
        now = time.time()
        times = self._times.get(expiry, OrderedDict()).get(key, ())
        counted = [when for when in times if when >= now - expiry]
        return (counted[0], len(counted)) if counted else (now, 0)

    async def clear(self, key: str) -> None:
        """Forgets the calls of a key."""
        for keys in self._times.values():
            keys.pop(key, None)

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


async def _nothing() -> None:
    """Closes what needs no closing."""


@dataclass(frozen=True)
class Store:
    """A store of the library. `faults` are what it raises when it cannot be reached."""

    storage: Storage
    faults: tuple[type[Exception], ...] = ()
    close: Callable[[], Awaitable[None]] = _nothing

    @property
    def alone(self) -> bool:
        """Whether it knows of the calls of this process only."""
        return isinstance(self.storage, Windows)

    async def take(self, rate: RateLimitItem, *key: str) -> int:
        """For how many seconds a call has to wait; 0 if it is within the rate, and then counted.

        Raises `Unreachable`.
        """
        try:
            async with asyncio.timeout(STORE_SECONDS):
                if await self._limiter.hit(rate, *key):
                    return 0
                window = await self._limiter.get_window_stats(rate, *key)
        except self._failures() as fault:
            raise Unreachable(type(fault).__name__) from fault
        return min(max(1, ceil(window.reset_time - time.time())), rate.get_expiry())

    async def answers(self) -> bool:
        """Whether the store can be reached."""
        try:
            async with asyncio.timeout(STORE_SECONDS):
                return bool(await self.storage.check())
        except self._failures():
            return False

    @cached_property
    def _limiter(self) -> MovingWindowRateLimiter:
        return MovingWindowRateLimiter(self.storage)

    def _failures(self) -> tuple[type[Exception], ...]:
        return (*self.faults, TimeoutError)


def in_memory() -> Store:
    """A store of this process alone."""
    return Store(Windows())
