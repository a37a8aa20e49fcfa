"""States of calls that a client returned, each accepted once, and the error of an unusable store."""

from __future__ import annotations

import time
from typing import Protocol

CLOCK_SECONDS = 86_400
"""How long a state is remembered beyond its own end, which is written in it by the wall clock of the
machine that sealed it: a clock that is wrong by up to a day does not make a used state good again."""

MOST_USED = 100_000
"""How many states a process remembers."""


class RequestStates(Protocol):
    """Remembers states. `alone` tells that only those of this process are remembered."""

    alone: bool

    async def use(self, mark: bytes, seconds: float) -> bool:
        """True the first time, False if the state of this digest was used before; `seconds` is how
        long a state holds. Raises `StoreUnavailable`."""
        ...

    async def close(self) -> None:
        """Closes connections."""
        ...


class StatesInMemory:
    """The states that this process has taken."""

    alone = True

    def __init__(self) -> None:
        self._used: dict[bytes, float] = {}

    async def use(self, mark: bytes, seconds: float) -> bool:
        """True the first time, False if the state of this digest was used before."""
        now = time.monotonic()
        if mark in self._used:
            return False
        while self._used and (
            len(self._used) >= MOST_USED or next(iter(self._used.values())) < now
        ):
            del self._used[next(iter(self._used))]
        self._used[mark] = now + seconds + CLOCK_SECONDS
        return True

    async def close(self) -> None:
        """Nothing is open."""


class StoreUnavailable(Exception):
    """A store does not answer, or refuses to write; the message is the reason."""
