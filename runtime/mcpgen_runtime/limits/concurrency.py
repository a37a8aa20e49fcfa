"""Limits of concurrent calls, call duration and result size."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from contextvars import ContextVar
from typing import Annotated

from pydantic import Field

from ..result import Result
from ..server.invocation import Finish, Invocation
from ..server.middleware import Middleware
from .settings import LimitSettings

_is_nested: ContextVar[bool] = ContextVar("inside", default=False)
"""True inside a call that is already counted, so that nested calls are not counted again."""


class CapSettings(LimitSettings):
    """Limits set by the environment in place of the project's; 0 disables a limit."""

    limit_concurrent: Annotated[int, Field(ge=0)] | None = None
    """Maximum number of concurrent calls."""
    limit_concurrent_subject: Annotated[int, Field(ge=0)] | None = None
    """Maximum number of concurrent calls per caller."""
    limit_call_seconds: Annotated[float, Field(ge=0)] | None = None
    """Maximum duration of a call in seconds, including all upstream requests."""
    limit_result_bytes: Annotated[int, Field(ge=0)] | None = None
    """Maximum size of a result."""


class Caps(Middleware):
    """Enforces the limits, 0 for unlimited. Counts the calls of this process only."""

    def __init__(
        self,
        settings: CapSettings,
        *,
        concurrent: int = 0,
        concurrent_subject: int = 0,
        call_seconds: float = 0,
        result_bytes: int = 0,
    ) -> None:
        self._all = self._subject = 0.0
        if settings.limits:
            self._all = _effective_limit(settings.limit_concurrent, concurrent)
            self._subject = _effective_limit(settings.limit_concurrent_subject, concurrent_subject)
        self._seconds = _effective_limit(settings.limit_call_seconds, call_seconds)
        self._bytes = _effective_limit(settings.limit_result_bytes, result_bytes)
        self._running_calls: Counter[str] = Counter()

    async def call(self, invocation: Invocation, finish: Finish) -> Result:
        """Runs a call within the limits, or refuses the call."""
        if _is_nested.get():
            return self._check_size(await finish())
        subject = invocation.caller.subject
        if reason := self._overload_reason(subject):
            return Result.crowded(reason)
        token = _is_nested.set(True)
        self._running_calls[subject] += 1
        try:
            return self._check_size(await self._run_timed(invocation, finish))
        finally:
            _is_nested.reset(token)
            self._running_calls[subject] -= 1
            if not self._running_calls[subject]:
                del self._running_calls[subject]

    def _overload_reason(self, subject: str) -> str:
        if self._subject and self._running_calls[subject] >= self._subject:
            return f"{self._subject} of yours are under way, and no more are allowed"
        if self._all and self._running_calls.total() >= self._all:
            return f"{self._all} are under way, and no more are allowed"
        return ""

    async def _run_timed(self, invocation: Invocation, finish: Finish) -> Result:
        """Runs the call with a timeout; cancels a running upstream request."""
        if not self._seconds:
            return await finish()
        try:
            async with asyncio.timeout(self._seconds) as timeout:
                invocation.deadline = timeout.when() or invocation.deadline
                return await finish()
        except TimeoutError:
            if not timeout.expired():
                raise
        tool = invocation.tool
        remark = "" if tool.hints.read_only else " Whether it was done is not known."
        return Result.error(f"`{tool.name}` took longer than {self._seconds:g} seconds.{remark}")

    def _check_size(self, result: Result) -> Result:
        """The result, or an error in place of a result that is too large."""
        if not self._bytes or _result_size(result, self._bytes) <= self._bytes:
            return result
        return Result.error(
            f"The call was done, but its result is larger than {self._bytes} bytes; ask for less."
        )


def _effective_limit(configured: float | None, declared: float) -> float:
    return declared if configured is None else configured


def _result_size(result: Result, limit: float) -> int:
    """Bytes of a result as ASCII JSON: texts and data without quotes, plus the structured content.
    Stops counting above `limit`."""
    size = 0
    for block in result.content:
        text = block.get("text") or block.get("data")
        size += len(json.dumps(text)) - 2 if isinstance(text, str) else len(json.dumps(block))
        if size > limit:
            return size
    if result.structured is not None:
        size += len(json.dumps(result.structured, separators=(",", ":")))
    return size
