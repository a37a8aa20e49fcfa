# Copied by mcpgen from mcpgen-runtime; changes belong in hooks.py or mcpgen.toml.
"""Request states returned by clients, each accepted once, and the error of an unavailable store."""

from __future__ import annotations

import time
from typing import Protocol

CLOCK_SECONDS = 86_400
"""Additional seconds for which a used state is remembered. A state contains an expiry by the wall
clock of the sealing machine; a clock wrong by up to a day does not make a used state valid
again."""

MAX_USED_STATES = 100_000
"""Maximum number of used states in the memory of a process."""


class RequestStates(Protocol):
    """A store of used states. `alone` is true for a store of this process only."""

    alone: bool

    async def use(self, mark: bytes, seconds: float) -> bool:
        """True for the first use of the state with this digest, False afterwards; `seconds` is the
        lifetime of a state. Raises `StoreUnavailable`."""

    async def close(self) -> None:
        """Closes connections."""


class StatesInMemory:
    """The states used in this process."""

    alone = True

    def __init__(self) -> None:
        self._used: dict[bytes, float] = {}

    async def use(self, mark: bytes, seconds: float) -> bool:
        """True for the first use of the state with this digest, False afterwards."""
        now = time.monotonic()
        if mark in self._used:
            return False
        while self._used and (
            len(self._used) >= MAX_USED_STATES or next(iter(self._used.values())) < now
        ):
            del self._used[next(iter(self._used))]
        self._used[mark] = now + seconds + CLOCK_SECONDS
        return True

    async def close(self) -> None:
        """Does nothing: there are no connections."""


class StoreUnavailable(Exception):
    """A store that does not answer or refuses to write; the message is the reason."""
