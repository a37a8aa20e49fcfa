"""Callers who have proved who they are, kept so that the next request need not prove it again."""

from __future__ import annotations

import hashlib
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable

from .auth_errors import AuthError
from .caller import Caller

MOST = 10_000
"""How many are kept; whoever was not seen for longest goes first."""


class AuthCache:
    """Callers, or why they are not let in, by the hash of what they showed and where."""

    def __init__(self, clock: Callable[[], float] = time.time, most: int = MOST) -> None:
        self._clock = clock
        self._most = most
        self._kept: OrderedDict[bytes, tuple[Caller | AuthError, float]] = OrderedDict()

    def mark(self, credential: str, where: Iterable[str]) -> bytes:
        """What a credential, shown at a place, is kept under."""
        return hashlib.sha256("\n".join((credential, *where)).encode()).digest()

    def found(self, mark: bytes) -> Caller | AuthError | None:
        """What is kept and still holds."""
        kept = self._kept.get(mark)
        if kept is None:
            return None
        if kept[1] <= self._clock():
            del self._kept[mark]
            return None
        self._kept.move_to_end(mark)
        return kept[0]

    def keep(self, mark: bytes, verdict: Caller | AuthError, until: float) -> None:
        """Keeps a verdict until a time in seconds since 1970."""
        self._kept[mark] = verdict, until
        if len(self._kept) > self._most:
            self._kept.popitem(last=False)
