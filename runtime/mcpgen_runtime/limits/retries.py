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
        self._most = attempts if settings.retries is None else settings.retries
        given = settings.retry_wait_seconds
        self._longest = wait_seconds if given is None else given
        self._saved: defaultdict[object, float] = defaultdict(lambda: RESERVE)

    async def send(
        self, invocation: Invocation, request: UpstreamRequest, deliver: Deliver
    ) -> UpstreamResponse:
        """The first response without a temporary failure, or the last response within the time."""
        if not may_be_repeated(invocation.tool, request):
            return await deliver(request)
        clock = asyncio.get_running_loop().time
        end = min(invocation.deadline, clock() + self._settings.timeout_seconds)
        target = url_origin(upstream_base_url(self._settings, request))
        for attempt in range(self._most):
            answer: UpstreamResponse | None = None
            try:
                answer = await deliver(request)
                if answer.status not in AGAIN:
                    self._saved[target] = min(self._saved[target] + SHARE, RESERVE)
                    return answer
            except UpstreamError as fault:
                if not fault.passing:
                    raise
                failed = fault
            pause = self._pause(attempt, answer)
            if pause is None or clock() + pause >= end or self._saved[target] < 1:
                if answer is None:
                    raise failed
                return answer
            self._saved[target] -= 1
            await asyncio.sleep(pause)
        return await deliver(request)

    def _pause(self, attempt: int, answer: UpstreamResponse | None) -> float | None:
        """Seconds to wait, None if `Retry-After` exceeds the maximum."""
        asked = retry_after(answer.headers.get("retry-after", "")) if answer else None
        if asked is not None:
            # Random delay, so that clients with the same `Retry-After` do not return at the same
            # moment.
            return asked + random.uniform(0, FIRST_SECONDS) if asked <= self._longest else None
        return random.uniform(0, min(FIRST_SECONDS * 2**attempt, self._longest))
