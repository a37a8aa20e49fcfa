"""What a server offers beside the tools of its API: tools of its own, other requests of the protocol."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from mcp.server.context import ServerRequestContext
from mcp_types import RequestParams

from .caller import Caller
from .hooks import Call
from .result import Result
from .tool import Json, Tool

Context = ServerRequestContext[Any, Any]
"""A request as the SDK hands it on."""


@dataclass(frozen=True)
class Method:
    """A request of the protocol that the server answers: the SDK's model of its parameters, and what
    answers it, in the form of the specification."""

    params: type[RequestParams]
    answer: Callable[[Context, Any], Awaitable[dict[str, Any]]]


@dataclass(frozen=True)
class Inside:
    """What an offer may use of the server that it belongs to: the tools of the API that a caller
    finds, and the result of a call in a caller's name, through every rule that looks at messages and
    every rule around calls; such a result is not cut into pages."""

    shown: Callable[[Caller], Sequence[Tool]]
    call: Callable[[Caller, str, Mapping[str, Json]], Awaitable[Result]]


class Offer:
    """One thing a server offers. `tools` are listed behind those of the API, at the main endpoint, and
    answered by `answer`; they pass the rules of the policy like any other."""

    tools: Sequence[Tool] = ()

    async def answer(self, call: Call, inside: Inside) -> Result:
        """The result of one of its own tools."""
        raise LookupError(f"`{call.tool.name}` is not a tool of its own")

    def methods(self, inside: Inside) -> Mapping[str, Method]:
        """The requests beside those about tools that it answers, by method."""
        return {}

    @asynccontextmanager
    async def running(self, inside: Inside) -> AsyncIterator[None]:
        """The time in which the server answers, for what it has to open and close."""
        yield
