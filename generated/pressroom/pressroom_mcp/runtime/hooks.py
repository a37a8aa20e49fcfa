"""Where a project's own code meets the generated tools."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace

import aiohttp

from .caller import ANYBODY, Caller
from .result import Answered, Result
from .tool import Json, Tool

__all__ = ["Answered", "Call", "Caller", "Handler", "Hooks", "Result"]


@dataclass(frozen=True)
class Call:
    """One call of a tool, with arguments that meet its announced schema, and who makes it."""

    tool: Tool
    arguments: Mapping[str, Json]
    send: Callable[[Mapping[str, Json]], Awaitable[Result]] = field(repr=False)
    caller: Caller = ANYBODY

    async def upstream(self, arguments: Mapping[str, Json] | None = None) -> Result:
        """What the tool gives back without a hook, for these arguments or others; `answered` of it
        is what the API said."""
        return await self.send(self.arguments if arguments is None else arguments)


Handler = Callable[[Call], Awaitable[Result]]
"""Answers a call instead of the generated request, or around it."""


@dataclass(frozen=True)
class Hooks:
    """Handlers by tool name, and how to make the client that reaches the API.

    `client` is called once, when the server starts; it may return a session with a proxy, other
    trust or tracing. Time limits, redirects and decompression stay as they are.
    """

    tools: Mapping[str, Handler] = field(default_factory=dict)
    client: Callable[[], aiohttp.ClientSession] | None = None

    def answering(self, handlers: Mapping[str, Handler]) -> Hooks:
        """The same, with handlers of the server's own."""
        return replace(self, tools={**self.tools, **handlers}) if handlers else self
