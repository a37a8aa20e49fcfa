"""Stops asking an API that is down, and asks again after a while, with one request at first."""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass
from math import ceil
from typing import Annotated

from pydantic import Field

from .answer import Answer, Unanswered
from .policy import Deliver, Invocation, Rule
from .request import Request
from .settings import ServerSettings
from .upstream import base_url, origin

DOWN = frozenset({502, 503, 504})
"""The statuses of a server that is not there. 500 is none: one odd request must not cut off all."""

logger = logging.getLogger(__name__)


class BreakerSettings(ServerSettings):
    """When an API counts as down; these win over what the project says."""

    breaker_failures: Annotated[int, Field(ge=0)] | None = None
    """After how many failures in a row it is not asked any more; 0 for never."""
    breaker_seconds: Annotated[float, Field(gt=0)] | None = None
    """For how long it is left alone."""


@dataclass
class _Circuit:
    """The way to one origin: closed while few requests fail, open until `until`, and half open while
    one request is `probing`."""

    failures: int = 0
    until: float = 0.0
    probing: bool = False


class Breaker(Rule):
    """The rule that leaves an API alone which has failed `failures` times in a row."""

    def __init__(self, settings: BreakerSettings, *, failures: int, seconds: float) -> None:
        self._settings = settings
        given = settings.breaker_failures
        self._most = failures if given is None else given
        self._seconds = settings.breaker_seconds or seconds
        self._circuits: dict[object, _Circuit] = {}

    async def send(self, invocation: Invocation, request: Request, deliver: Deliver) -> Answer:
        """The answer, if the API is asked. Raises `Unanswered` at once if it is not."""
        if not self._most:
            return await deliver(request)
        target = origin(base_url(self._settings, request))
        circuit = self._circuits.setdefault(target, _Circuit())
        probe = self._is_probe(circuit)
        if not probe:
            return await self._watched(circuit, request, deliver)
        circuit.probing = True
        try:
            return await self._watched(circuit, request, deliver)
        finally:
            circuit.probing = False

    def _is_probe(self, circuit: _Circuit) -> bool:
        """Whether a request finds out if the API is back. Raises `Unanswered` for one that may not
        be sent."""
        if circuit.failures < self._most:
            return False
        left = circuit.until - time.monotonic()
        if left > 0 or circuit.probing:
            wait = max(1, ceil(left))
            raise Unanswered(
                f"has failed {circuit.failures} times in a row and is not asked now; try again in"
                f" {wait} second{'s' if wait > 1 else ''}"
            )
        return True

    async def _watched(self, circuit: _Circuit, request: Request, deliver: Deliver) -> Answer:
        try:
            answer = await deliver(request)
        except Unanswered as fault:
            if fault.passing:
                self._failed(circuit)
            raise
        if answer.status in DOWN:
            self._failed(circuit)
        else:
            self._succeeded(circuit)
        return answer

    def _failed(self, circuit: _Circuit) -> None:
        circuit.failures += 1
        if circuit.failures < self._most:
            return
        circuit.until = time.monotonic() + self._seconds
        if circuit.failures == self._most:
            logger.error("The API has failed %d times in a row; it is left alone", self._most)

    def _succeeded(self, circuit: _Circuit) -> None:
        if circuit.failures >= self._most:
            logger.warning("The API answers again")
        circuit.failures = 0
