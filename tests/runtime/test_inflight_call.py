"""A short call runs in the request's task; only a slow call is handed to a waiter."""

from __future__ import annotations

import asyncio
from contextvars import ContextVar

import pytest

from mcpgen_runtime.fast_path.inflight_call import InflightCall, SlowCallTimer
from mcpgen_runtime.result import Result

pytestmark = pytest.mark.anyio

DONE = Result.text("done")
REQUEST = ContextVar("REQUEST", default="none")


class Waiting:
    """Waiter for calls, until `stop` is set; `seen` are the results."""

    def __init__(self) -> None:
        self.began, self.stop = asyncio.Event(), asyncio.Event()
        self.seen: list[Result] = []
        self.cancelled = False

    async def wait(self, result: asyncio.Future[Result]) -> None:
        """Waits for a call."""
        self.began.set()
        stop = asyncio.ensure_future(self.stop.wait())
        try:
            await asyncio.wait((result, stop), return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            self.cancelled = True
            raise
        finally:
            stop.cancel()
        if result.done():
            self.seen.append(result.result())


@pytest.fixture
async def waiting() -> Waiting:
    """Waiter for calls."""
    return Waiting()


async def wait_for_result(seconds: float) -> Result:
    """Returns a result after some seconds."""
    await asyncio.sleep(seconds)
    return DONE


async def test_a_short_call_is_nobody_else_s(waiting: Waiting) -> None:
    assert await InflightCall(waiting.wait).run(wait_for_result(0), SlowCallTimer(60)) is DONE
    assert not waiting.began.is_set()


async def test_a_call_that_fails_is_left_with_its_failure() -> None:
    base_exceptions: list[BaseException | None] = []

    async def wait(result: asyncio.Future[Result]) -> None:
        await asyncio.wait((result,))
        base_exceptions.append(result.exception())

    async def fail() -> Result:
        raise ValueError("odd")

    assert await InflightCall(wait).run(fail(), SlowCallTimer(60)) is None
    assert [str(fault) for fault in base_exceptions] == ["odd"]


async def test_a_call_that_lasts_is_waited_for(waiting: Waiting) -> None:
    patience = SlowCallTimer(0.01)

    assert await InflightCall(waiting.wait).run(wait_for_result(0.1), patience) is None
    assert waiting.seen == [DONE]


async def test_a_call_is_waited_for_in_the_context_of_its_own_request() -> None:
    patience = SlowCallTimer(0.02)
    contexts: list[tuple[str, str]] = []

    async def request(name: str, delay: float, lasts: float) -> None:
        async def wait(result: asyncio.Future[Result]) -> None:
            contexts.append((name, REQUEST.get()))
            await result

        await asyncio.sleep(delay)
        REQUEST.set(name)
        await InflightCall(wait).run(wait_for_result(lasts), patience)

    await asyncio.gather(request("a", 0, 0.01), request("b", 0.005, 0.1), request("c", 0.01, 0.1))

    assert sorted(contexts) == [("b", "b"), ("c", "c")]


async def test_a_call_may_be_left_before_it_lasts(waiting: Waiting) -> None:
    inflight_call = InflightCall(waiting.wait)

    async def call() -> Result:
        inflight_call.hand_to_sdk()
        await waiting.began.wait()
        return DONE

    assert await inflight_call.run(call(), SlowCallTimer(60)) is None
    assert waiting.seen == [DONE]


async def test_a_call_that_nobody_waits_for_is_cancelled_and_not_its_request(
    waiting: Waiting,
) -> None:
    waiting.stop.set()
    is_ended = False

    async def call() -> Result:
        nonlocal is_ended
        try:
            return await wait_for_result(60)
        finally:
            is_ended = True

    result = await InflightCall(waiting.wait).run(call(), SlowCallTimer(0.01))
    await asyncio.sleep(0)

    assert (result, is_ended, waiting.seen) == (None, True, [])


async def test_a_request_that_is_cancelled_ends_its_call_and_who_waits_for_it(
    waiting: Waiting,
) -> None:
    request = asyncio.ensure_future(
        InflightCall(waiting.wait).run(wait_for_result(60), SlowCallTimer(0.01))
    )
    await waiting.began.wait()

    request.cancel()
    await asyncio.wait((request,))
    await asyncio.sleep(0.01)

    assert request.cancelled()
    assert waiting.cancelled


async def test_a_call_that_cancels_itself_fails_alone() -> None:
    cancelled: list[bool] = []

    async def wait(result: asyncio.Future[Result]) -> None:
        await asyncio.wait((result,))
        cancelled.append(result.cancelled())

    async def call() -> Result:
        raise asyncio.CancelledError

    assert await InflightCall(wait).run(call(), SlowCallTimer(60)) is None
    assert cancelled == [True]


async def test_nothing_is_left_of_calls_that_are_over(waiting: Waiting) -> None:
    patience = SlowCallTimer(0.01)
    inflight_call = InflightCall(waiting.wait)

    await inflight_call.run(wait_for_result(0), patience)
    inflight_call.hand_to_sdk()
    await asyncio.sleep(0.05)

    assert not waiting.began.is_set()
