"""Stops requests to an API that is down; after a pause, one probe request tests the API."""

from __future__ import annotations

import logging
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from math import ceil
from typing import Annotated, Protocol

from pydantic import Field

from ..server.invocation import Deliver, Invocation
from ..server.middleware import Middleware
from ..settings import ServerSettings
from ..upstream.client import upstream_base_url, url_origin
from ..upstream.exchange import UpstreamError, UpstreamRequest, UpstreamResponse

UNAVAILABLE_STATUSES = frozenset({502, 503, 504})
"""HTTP statuses that count as failures. 500 is not included: one faulty call could cause 500 again and
again, and would block the calls of everybody else."""

logger = logging.getLogger(__name__)


class CircuitBreakerSettings(ServerSettings):
    """Settings of the circuit breaker; override the project's values."""

    breaker_failures: Annotated[int, Field(ge=0)] | None = None
    """Failures in a row that open the circuit; 0 disables the breaker, None keeps the project's value."""
    breaker_seconds: Annotated[float, Field(gt=0)] | None = None
    """Seconds for which the circuit stays open; None keeps the project's value."""


@dataclass(frozen=True)
class CircuitDecision:
    """The answer of a circuit to a request. `wait_seconds` is 0 if the request may be sent, and at
    least 1 if not. `failures` are the failures in a row of an open circuit. `is_probe` marks the
    request that tests whether the API is back."""

    wait_seconds: float = 0.0
    failures: int = 0
    is_probe: bool = False


class Circuits(Protocol):
    """One circuit per origin. A closed circuit lets all requests pass. Failures in a row open the
    circuit: no request passes for some seconds, then one probe request. A success closes the circuit,
    a failed probe keeps the circuit open for the same seconds again."""

    async def enter(self, origin: str) -> CircuitDecision:
        """Decides whether a request may be sent. A probe has to be ended with `end_probe`, so that
        a later probe can begin."""

    async def record_failure(self, origin: str) -> int:
        """Counts a failure; returns the failures in a row."""

    async def record_success(self, origin: str) -> int:
        """Closes the circuit; returns the earlier failures in a row."""

    async def end_probe(self, origin: str) -> None:
        """Ends a probe, whatever the outcome."""

    async def close_connections(self) -> None:
        """Closes the connections to the store of the circuits."""


@dataclass
class _Circuit:
    """The circuit of one origin; `open_until` is a monotonic time in seconds."""

    failures: int = 0
    open_until: float = 0.0
    is_probing: bool = False


class CircuitsInMemory:
    """Circuits in the memory of this process. A circuit opens after `max_failures` failures in a row,
    for `seconds`."""

    def __init__(self, max_failures: int, seconds: float) -> None:
        self._max_failures, self._seconds = max_failures, seconds
        self._circuits: dict[str, _Circuit] = {}

    async def enter(self, origin: str) -> CircuitDecision:
        """Decides whether a request may be sent."""
        circuit = self._circuits.setdefault(origin, _Circuit())
        if circuit.failures < self._max_failures:
            return CircuitDecision()
        remaining = circuit.open_until - time.monotonic()
        if remaining > 0 or circuit.is_probing:
            # While a probe runs, no time may remain, and 0 would allow the request.
            return CircuitDecision(max(1, remaining), circuit.failures)
        circuit.is_probing = True
        return CircuitDecision(0, circuit.failures, is_probe=True)

    async def record_failure(self, origin: str) -> int:
        """Counts a failure; returns the failures in a row."""
        circuit = self._circuits.setdefault(origin, _Circuit())
        circuit.failures += 1
        if circuit.failures >= self._max_failures:
            circuit.open_until = time.monotonic() + self._seconds
        return circuit.failures

    async def record_success(self, origin: str) -> int:
        """Closes the circuit; returns the earlier failures in a row."""
        circuit = self._circuits.setdefault(origin, _Circuit())
        before, circuit.failures = circuit.failures, 0
        return before

    async def end_probe(self, origin: str) -> None:
        """Ends a probe."""
        self._circuits.setdefault(origin, _Circuit()).is_probing = False

    async def close_connections(self) -> None:
        """Does nothing: there are no connections."""


class CircuitBreaker(Middleware):
    """Stops requests to an API after `failures` failures in a row, for `seconds`; the settings replace
    both values. `share` makes the circuits from both values: by default circuits of this process, with
    `redis_circuits` circuits shared by all processes."""

    def __init__(
        self,
        settings: CircuitBreakerSettings,
        *,
        failures: int,
        seconds: float,
        share: Callable[[int, float], Circuits] = CircuitsInMemory,
    ) -> None:
        self._settings = settings
        configured = settings.breaker_failures
        self._max_failures = failures if configured is None else configured
        self._circuits = share(self._max_failures, settings.breaker_seconds or seconds)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Closes the connections of the circuits at the end."""
        yield
        await self._circuits.close_connections()

    async def send(
        self, invocation: Invocation, request: UpstreamRequest, deliver: Deliver
    ) -> UpstreamResponse:
        """Sends the request if the circuit allows. Raises `UpstreamError` at once if the circuit is
        open."""
        if not self._max_failures:
            return await deliver(request)
        origin = "{}://{}:{}".format(*url_origin(upstream_base_url(self._settings, request)))
        decision = await self._circuits.enter(origin)
        if decision.wait_seconds:
            wait = ceil(decision.wait_seconds)
            # The message continues "The API".
            raise UpstreamError(
                f"has failed {decision.failures} times in a row and is not asked now; try again in"
                f" {wait} second{'s' if wait > 1 else ''}"
            )
        try:
            return await self._send_and_record(origin, request, deliver)
        finally:
            if decision.is_probe:
                await self._circuits.end_probe(origin)

    async def _send_and_record(
        self, origin: str, request: UpstreamRequest, deliver: Deliver
    ) -> UpstreamResponse:
        """Sends the request. A temporary error and an unavailable API count as failures; every other
        response is a success. Any other error counts as neither."""
        try:
            answer = await deliver(request)
        except UpstreamError as fault:
            if fault.passing:
                await self._record_failure(origin)
            raise
        if answer.status in UNAVAILABLE_STATUSES:
            await self._record_failure(origin)
        elif await self._circuits.record_success(origin) >= self._max_failures:
            logger.warning("The API answers again")
        return answer

    async def _record_failure(self, origin: str) -> None:
        """Counts a failure. Logs the opening of the circuit only: later failures raise the count
        further."""
        if await self._circuits.record_failure(origin) == self._max_failures:
            logger.error(
                "The API has failed %d times in a row; no requests are sent for a time",
                self._max_failures,
            )
