"""Repeats failed upstream requests that are safe to repeat.

A tool's own request is repeated if the tool is read-only or idempotent by its hints, and a request
of a handler if the method is idempotent as well. Repetitions end with the timeout of one request,
and stop when more than a small share of all requests are repetitions.
https://www.rfc-editor.org/rfc/rfc9110#section-9.2.2
"""

from __future__ import annotations

import asyncio
import random
from collections import defaultdict
from typing import Annotated

from pydantic import Field

from ..server.invocation import Deliver, Invocation
from ..server.middleware import Middleware, may_be_repeated
from ..settings import ServerSettings
from ..upstream.client import upstream_base_url, url_origin
from ..upstream.exchange import UpstreamError, UpstreamRequest, UpstreamResponse
from ..upstream.retry_after import retry_after

AGAIN = frozenset({408, 429, 502, 503, 504})
"""Statuses of temporary failures."""

FIRST_SECONDS = 0.2
"""Maximum first pause in seconds; doubled for every further pause."""

SHARE = 0.1
"""Repetitions earned by each successful request."""

RESERVE = 10.0
"""Maximum number of saved repetitions."""


class RetrySettings(ServerSettings):
    """Settings of repetitions; override the project's values."""

    retries: Annotated[int, Field(ge=0, le=10)] | None = None
    """Maximum number of repetitions of a request."""
    retry_wait_seconds: Annotated[float, Field(ge=0)] | None = None
    """Maximum pause in seconds, including pauses asked for by `Retry-After`."""


class Retries(Middleware):
    """Repeats failed requests, with pauses of at most `wait_seconds`."""

    def __init__(self, settings: RetrySettings, *, attempts: int, wait_seconds: float) -> None:
        self._settings = settings
        self._max_repetitions = attempts if settings.retries is None else settings.retries
        configured = settings.retry_wait_seconds
        self._max_wait = wait_seconds if configured is None else configured
        self._budgets: defaultdict[object, float] = defaultdict(lambda: RESERVE)

    async def send(
        self, invocation: Invocation, request: UpstreamRequest, deliver: Deliver
    ) -> UpstreamResponse:
        """The first response without a temporary failure, or the last response within the time."""
        if not may_be_repeated(invocation.tool, request):
            return await deliver(request)
        clock = asyncio.get_running_loop().time
        deadline = min(invocation.deadline, clock() + self._settings.timeout_seconds)
        origin = url_origin(upstream_base_url(self._settings, request))
        for attempt in range(self._max_repetitions):
            answer: UpstreamResponse | None = None
            try:
                answer = await deliver(request)
                if answer.status not in AGAIN:
                    self._budgets[origin] = min(self._budgets[origin] + SHARE, RESERVE)
                    return answer
            except UpstreamError as fault:
                if not fault.passing:
                    raise
                failure = fault
            pause = self._pause(attempt, answer)
            if pause is None or clock() + pause >= deadline or self._budgets[origin] < 1:
                if answer is None:
                    raise failure
                return answer
            self._budgets[origin] -= 1
            await asyncio.sleep(pause)
        return await deliver(request)

    def _pause(self, attempt: int, answer: UpstreamResponse | None) -> float | None:
        """Seconds to wait, None if `Retry-After` exceeds the maximum."""
        wait = retry_after(answer.headers.get("retry-after", "")) if answer else None
        if wait is not None:
            # Random delay, so that clients with the same `Retry-After` do not return at the same
            # moment.
            return wait + random.uniform(0, FIRST_SECONDS) if wait <= self._max_wait else None
        return random.uniform(0, min(FIRST_SECONDS * 2**attempt, self._max_wait))
