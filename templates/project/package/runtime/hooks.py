"""Where a project's own code meets the generated tools."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field, replace
from typing import Any

import aiohttp

from .answer import Unanswered
from .caller import ANYBODY, Caller
from .outgoing import outgoing
from .request import Refused, Request
from .result import Answered, Result
from .tool import Json, Tool

__all__ = ["Answered", "Call", "Caller", "Handler", "Hooks", "Refused", "Result", "Unanswered"]


@dataclass(frozen=True)
class Call:
    """One call of a tool, with arguments that meet its announced schema, and who makes it. `state` is
    what the lifespan of the hooks has opened, None without one; `resources` are those it has changed.
    """

    tool: Tool
    arguments: Mapping[str, Json]
    send: Callable[[Mapping[str, Json]], Awaitable[Result]] = field(repr=False)
    ask: Callable[[Request, Sequence[str] | None], Awaitable[Answered]] = field(repr=False)
    caller: Caller = ANYBODY
    state: Any = field(default=None, repr=False)
    resources: list[str] = field(default_factory=list, repr=False)

    def changed(self, uri: str) -> None:
        """Says that the call changes the resource of a URI: clients that subscribed to it are told
        once the call is done."""
        self.resources.append(uri)

    async def upstream(self, arguments: Mapping[str, Json] | None = None) -> Result:
        """What the tool gives back without a hook, for these arguments or others; `answered` of it
        is what the API said."""
        return await self.send(self.arguments if arguments is None else arguments)

    async def request(
        self,
        method: str,
        path: str,
        *,
        values: Mapping[str, Json] = {},
        query: Mapping[str, Json] = {},
        json: Json = None,
        body: bytes | None = None,
        headers: Mapping[str, str] = {},
        security: Sequence[str] | None = None,
    ) -> Answered:
        """What the API answers to a request of the handler's own, whatever its status is.

        `path` stands below the base URL; each `{name}` in it is one segment, filled from `values`. Of
        the `query`, None is left out and a list repeats its name. The request goes the way of every
        other: through the rules of the policy, with the credentials of the tool's own request, or of
        the schemes whose ids `security` lists. Raises `Refused` for one that must not be sent,
        and `Unanswered` if no answer comes; what a handler does not catch becomes an error result.
        """
        return await self.ask(outgoing(method, path, values, query, json, body, headers), security)


Handler = Callable[[Call], Awaitable[Result]]
"""Answers a call instead of the generated request, or around it."""


@dataclass(frozen=True)
class Hooks:
    """Handlers by tool name, what they need to be open, and how to make the client that reaches the
    API.

    `lifespan` makes, of the server's settings, what is entered before the first call and left after
    the last one; what it gives is `Call.state`. `client` is called once, when the server starts; it may return a session with a proxy, other
    trust or tracing. Time limits, redirects and decompression stay as they are.
    """

    tools: Mapping[str, Handler] = field(default_factory=dict)
    client: Callable[[], aiohttp.ClientSession] | None = None
    lifespan: Callable[[Any], AbstractAsyncContextManager[Any]] | None = None

    def answering(self, handlers: Mapping[str, Handler]) -> Hooks:
        """The same, with handlers of the server's own."""
        return replace(self, tools={**self.tools, **handlers}) if handlers else self
