"""Runs a tool call in the request's task; hands the call to the SDK if it takes longer than 0.5 s."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from contextvars import Context, copy_context
from typing import Any

from ..result import Result
from ..server.client_channel import Context as SdkContext
from ..server.client_channel import InputRequired

Wait = Callable[[asyncio.Future[Result]], Coroutine[Any, Any, None]]
"""Answers a request with the future result of the call."""


class SlowCallTimer:
    """The running calls of the fast path. Hands a call to the SDK after `seconds` to twice
    `seconds`. One timer serves all calls, since a timer per call costs more than a short call."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self.loop = asyncio.get_running_loop()
        """The event loop, cached because `get_running_loop` makes a system call."""
        self._recent: set[InflightCall] = set()
        self._older: set[InflightCall] = set()
        self._timer: asyncio.TimerHandle | None = None
        # A timer keeps the context in which it was set; a request's context would be kept alive by
        # later timers.
        self._context = Context()

    def begin(self, call: InflightCall) -> None:
        """Adds a call."""
        self._recent.add(call)
        if self._timer is None:
            self._start_timer()

    def end(self, call: InflightCall) -> None:
        """Removes a finished call."""
        self._recent.discard(call)
        self._older.discard(call)

    def _hand_over_older(self) -> None:
        self._timer = None
        for call in self._older:
            call.hand_to_sdk()
        self._older, self._recent = self._recent, set()
        if self._older:
            self._start_timer()

    def _start_timer(self) -> None:
        self._timer = self.loop.call_later(
            self._seconds, self._hand_over_older, context=self._context
        )


class InflightCall:
    """A call in the current task. A short call needs no second task; after a timeout, a failure or
    a call of `hand_to_sdk`, `wait` answers in a separate task. If that task ends first, the result
    is not needed and the call is cancelled."""

    def __init__(self, wait: Wait) -> None:
        self._wait: Wait | None = wait
        self._task: asyncio.Task[Any] | None = None
        self._waiter: asyncio.Future[None] | None = None
        self._result: asyncio.Future[Result] | None = None
        self._is_unwanted = False
        self._sdk_context: SdkContext | None = None
        self._has_context: asyncio.Event | None = None
        # The timer runs in the context of some other request.
        self._context = copy_context()

    async def run(self, call: Awaitable[Result], timer: SlowCallTimer) -> Result | None:
        """Makes the call; returns the result, or None if the SDK has answered."""
        self._task = task = asyncio.current_task(timer.loop)
        timer.begin(self)
        try:
            result = await call
            if self._waiter is None:
                return result
            self._settle(result)
        except asyncio.CancelledError:
            if task and task.cancelling() > self._is_unwanted:
                # The whole request is cancelled, not only the abandoned call.
                if self._waiter:
                    self._waiter.cancel()
                raise
            self._settle(None)
        except (Exception, InputRequired) as fault:  # noqa: BLE001
            self._settle(fault)
        finally:
            timer.end(self)
            # Breaks the reference cycle of task, client and call.
            self._task = self._wait = None
            if task and self._is_unwanted:
                task.uncancel()
        if self._waiter:
            await self._waiter
        return None

    async def context(self) -> SdkContext:
        """The SDK's context of the request, after handing the call to the SDK."""
        if self._sdk_context is None:
            self._has_context = self._has_context or asyncio.Event()
            self.hand_to_sdk()
            await self._has_context.wait()
        assert self._sdk_context is not None
        return self._sdk_context

    def hand_over(
        self, result: asyncio.Future[Result], context: SdkContext
    ) -> asyncio.Future[Result]:
        """Takes the context from the SDK, which awaits the result."""
        self._sdk_context = context
        if self._has_context:
            self._has_context.set()
        return result

    def hand_to_sdk(self) -> None:
        """Starts the task that waits for the call in the SDK."""
        if self._waiter is None and self._wait:
            loop = asyncio.get_running_loop()
            self._result = result = loop.create_future()
            self._waiter = loop.create_task(self._wait(result), context=self._context)
            self._waiter.add_done_callback(lambda _: result.cancel())
            result.add_done_callback(self._end)

    def _settle(self, outcome: Result | BaseException | None) -> None:
        """Passes the outcome of the call, None if cancelled, to the waiting task."""
        self.hand_to_sdk()
        if self._result is None or self._result.done():
            return
        if outcome is None:
            self._result.cancel()
        elif isinstance(outcome, BaseException):
            self._result.set_exception(outcome)
        else:
            self._result.set_result(outcome)

    def _end(self, result: asyncio.Future[Result]) -> None:
        """Cancels the call when its result is no longer awaited."""
        if result.cancelled() and self._task:
            self._is_unwanted = True
            self._task.cancel()
