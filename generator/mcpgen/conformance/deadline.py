"""The end of a run, for work that needs no answer of the server."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from typing import Self, TypeVar

from mcpgen.conformance.check_result import PrerequisiteMissing

_Item = TypeVar("_Item", covariant=True)


class TimedTuple(tuple[_Item, ...]):
    """A tuple that is iterated until the monotonic clock has reached `ends`, then raises Unmet.

    Checks spend their time with loops over tools, of which a hostile server announces any number. A slice is
    a plain tuple.
    """

    ends: float

    @classmethod
    def until(cls, ends: float, items: Iterable[_Item]) -> Self:
        """The items with the end of the run."""
        timed = cls(items)
        timed.ends = ends
        return timed

    def __iter__(self) -> Iterator[_Item]:
        """The items in order."""
        for item in super().__iter__():
            if time.monotonic() >= self.ends:
                raise PrerequisiteMissing(
                    "the check is made in the time allowed for all checks",
                    "the time was over before the check was",
                )
            yield item
