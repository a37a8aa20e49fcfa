"""Runs a tool call in the request's task; hands the call to the SDK if it takes longer than 0.5 s."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from contextvars import Context, copy_context
from typing import Any

from ..elicitation.client_channel import InputRequired
from ..result import Result

Wait = Callable[[asyncio.Future[Result]], Coroutine[Any, Any, None]]
"""Answers a request, given what its call will result in."""


class SlowCallTimer:
    """The calls under way that are not left yet. Those that have lasted for some seconds, or up to
    twice as long, are left: all are looked at together, since a timer costs more than a short call.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self.loop = asyncio.get_running_loop()
        """The loop that they run in, which it takes a call of the system to ask for."""
        self._recent: set[InflightCall] = set()
        self._older: set[InflightCall] = set()
        self._timer: asyncio.TimerHandle | None = None
        # A timer keeps the context it is set in; that of a request would be kept by later ones.
        self._context = Context()

    def begin(self, begun: InflightCall) -> None:
        """Takes a call that begins."""
        self._recent.add(begun)
        if self._timer is None:
            self._set()

    def end(self, begun: InflightCall) -> None:
        """Drops a call that has ended."""
        self._recent.discard(begun)
        self._older.discard(begun)

    def _look(self) -> None:
        self._timer = None
        for begun in self._older:
            begun.leave()
        self._older, self._recent = self._recent, set()
        if self._older:
            self._set()

    def _set(self) -> None:
        self._timer = self.loop.call_later(self._seconds, self._look, context=self._context)


class InflightCall:
    """A call of the running task. While it is short, no other task is needed; once it lasts, fails, or
    wants to be left before, `wait` answers in a task of its own. If that ends first, nobody wants the
    result any more, and the call is cancelled.
    """

    def __init__(self, wait: Wait) -> None:
        self._wait: Wait | None = wait
        self._maker: asyncio.Task[Any] | None = None
        self._waiter: asyncio.Future[None] | None = None
        self._result: asyncio.Future[Result] | None = None
        self._unwanted = False
        # Whoever looks at the clock does so in the context of some other request.
        self._context = copy_context()

    async def answered(self, call: Awaitable[Result], patience: SlowCallTimer) -> Result | None:
        """Makes the call; its result, None if it was left, and is answered."""
        self._maker = maker = asyncio.current_task(patience.loop)
        patience.begin(self)
        try:
            result = await call
            if self._waiter is None:
                return result
            self._settle(result)
        except asyncio.CancelledError:
            if maker and maker.cancelling() > self._unwanted:
                # The whole request is cancelled, and not only a call that nobody waits for.
                if self._waiter:
                    self._waiter.cancel()
                raise
            self._settle(None)
        except (Exception, InputRequired) as fault:  # noqa: BLE001
            self._settle(fault)
        finally:
            patience.end(self)
            # Whoever waits knows the client, and that knows this call: nothing else ends the circle.
            self._maker = self._wait = None
            if maker and self._unwanted:
                maker.uncancel()
        if self._waiter:
            await self._waiter
        return None

    def leave(self) -> None:
        """Lets the other wait for the call from now on."""
        if self._waiter is None and self._wait:
            loop = asyncio.get_running_loop()
            self._result = result = loop.create_future()
            self._waiter = loop.create_task(self._wait(result), context=self._context)
            self._waiter.add_done_callback(lambda _: result.cancel())
            result.add_done_callback(self._end)

    def _settle(self, outcome: Result | BaseException | None) -> None:
        """Takes what the call has ended with, None if it was cancelled, if anybody still waits for it."""
        self.leave()
        if self._result is None or self._result.done():
            return
        if outcome is None:
            self._result.cancel()
        elif isinstance(outcome, BaseException):
            self._result.set_exception(outcome)
        else:
            self._result.set_result(outcome)

    def _end(self, result: asyncio.Future[Result]) -> None:
        """Cancels the call once its result is not waited for any more."""
        if result.cancelled() and self._maker:
            self._unwanted = True
            self._maker.cancel()
