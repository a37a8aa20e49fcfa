"""Asks the API again where asking twice does no harm and may help.

A tool's own request is repeated if the hints of the tool say that it reads only or is idempotent, and
a request of a handler if its method is idempotent, too. No request is repeated without end: not
beyond the time of one request, and only while few of all requests are repetitions.
https://www.rfc-editor.org/rfc/rfc9110#section-9.2.2
"""

from __future__ import annotations

import asyncio
import random
from collections import defaultdict
from typing import Annotated

from pydantic import Field

from ..server.middleware import Deliver, Invocation, Middleware, may_be_repeated
from ..settings import ServerSettings
from ..upstream.client import upstream_base_url, url_origin
from ..upstream.request import UpstreamRequest
from ..upstream.response import UpstreamError, UpstreamResponse, retry_after

AGAIN = frozenset({408, 429, 502, 503, 504})
"""The statuses that say: not now."""

FIRST_SECONDS = 0.2
"""How long the first pause is at most; every further one may be twice as long."""

SHARE = 0.1
"""How many repetitions a request that was answered pays for."""

RESERVE = 10.0
"""How many repetitions may be saved up."""


class RetrySettings(ServerSettings):
    """How often the API is asked again; these win over what the project says."""

    retries: Annotated[int, Field(ge=0, le=10)] | None = None
    """How many times a request is repeated at most."""
    retry_wait_seconds: Annotated[float, Field(ge=0)] | None = None
    """How long a pause may be, also one that the API asks for."""


class Retries(Middleware):
    """The rule that repeats requests. `wait_seconds` bounds each pause."""

    def __init__(self, settings: RetrySettings, *, attempts: int, wait_seconds: float) -> None:
        self._settings = settings
        self._most = attempts if settings.retries is None else settings.retries
        given = settings.retry_wait_seconds
        self._longest = wait_seconds if given is None else given
        self._saved: defaultdict[object, float] = defaultdict(lambda: RESERVE)

    async def send(
        self, invocation: Invocation, request: UpstreamRequest, deliver: Deliver
    ) -> UpstreamResponse:
        """The first answer worth having, or the last there is time for."""
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
        """For how many seconds to wait, None if the API wants more than there is."""
        asked = retry_after(answer.headers.get("retry-after", "")) if answer else None
        if asked is not None:
            # A little later than asked for, so that those who were told the same come apart.
            return asked + random.uniform(0, FIRST_SECONDS) if asked <= self._longest else None
        return random.uniform(0, min(FIRST_SECONDS * 2**attempt, self._longest))
