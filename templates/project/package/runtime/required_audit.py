"""Refuses calls whose events cannot be written."""

from __future__ import annotations

import asyncio

from .audit import Audit, Event
from .audit_json import JsonAudit
from .middleware import Finish, Invocation
from .result import Result
from .settings import ServerSettings

BEGIN = "mcp.begin"
"""The event of a call that is about to be made."""

RESUME = "mcp.resume"
"""The event with which a server tries whether events can be written again."""

WAIT_SECONDS = 1.0
"""How long a call waits until its event is written, as for a pipe that nobody reads."""


class RequiredAudit(Audit):
    """The audit without which no call is made: each call waits until its event `mcp.begin` is
    written, and is refused where that fails."""

    def __init__(
        self,
        settings: ServerSettings,
        lines: JsonAudit,
        *,
        server: str,
        arguments: bool = False,
    ) -> None:
        super().__init__(settings, lines, server=server, arguments=arguments)
        self._lines = lines
        self._reason = ""

    async def ready(self) -> str:
        """Why calls are refused, `""` if they are not. Tries to write first: a server that is sent no
        calls would not notice that it can write again."""
        if self._reason:
            await self._write(RESUME, {})
        return f"the audit cannot be written: {self._reason}" if self._reason else ""

    async def call(self, invocation: Invocation, finish: Finish) -> Result:
        """The result of a call whose beginning is written, or a refusal."""
        event: Event = {"subject": invocation.caller.subject, "tool": invocation.tool.name}
        is_written = await self._write(BEGIN, event)
        return await super().call(invocation, finish if is_written else _refuse)

    async def _write(self, name: str, event: Event) -> bool:
        """Writes an event; whether that was possible."""
        try:
            async with asyncio.timeout(WAIT_SECONDS):
                reason = await self._lines.written(self._event(name, event))
        except TimeoutError:
            self._reason = f"no line was written within {WAIT_SECONDS:g} s"
            return False
        self._reason = reason
        return not reason


async def _refuse() -> Result:
    return Result.denied(
        {
            "outcome": "denied",
            "code": "audit_unavailable",
            "message": "The call was not made: its audit cannot be written; try again later",
        }
    )
