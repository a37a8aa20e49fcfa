"""Base class of features that add tools or protocol methods, and the view of tools that clients see."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS, PaginatedRequestParams, RequestParams

from ..caller import Caller
from ..elicitation.client_channel import Context, Level
from ..hooks import Call
from ..result import Result
from ..tool import Json, Tool
from .middleware import Middleware


@dataclass(frozen=True)
class FeatureMethod:
    """A request of the protocol that the server answers: the SDK's model of its parameters, and what
    answers it, in the form of the specification. One that `needs_session` is only answered where
    there are sessions. What `asks` is given the client to ask, behind the parameters."""

    params: type[RequestParams]
    answer: Callable[..., Awaitable[dict[str, Any]]]
    needs_session: bool = False
    asks: bool = False


@dataclass(frozen=True)
class ServerContext:
    """What an offer may use of the server that it belongs to: the tools of the API that a caller
    finds, the one of a name or None, withheld ones too, and whether no right for it is missing; and
    the result of a call in a caller's name, through every rule that looks at messages and every rule
    around calls, which is not cut into pages. `package` is the project's package, which holds `files.json`.
    """

    shown: Callable[[Caller], Sequence[Tool]]
    found: Callable[[Caller, str], Tool | None]
    allows: Callable[[Caller, str], bool]
    call: Callable[[Caller, str, Mapping[str, Json]], Awaitable[Result]]
    package: str = ""


def refuse_pages(params: PaginatedRequestParams) -> None:
    """Raises `MCPError` for a request of another page than the first: every list here has one."""
    if params.cursor is not None:
        raise MCPError(INVALID_PARAMS, "There is no such page: the list has one")


class Feature:
    """One thing a server offers. `tools` are listed behind those of the API, at the main endpoint, and
    answered by `answer`; they pass the rules of the policy like any other. `withheld` are names of
    tools of the API that clients neither find nor call: they are called from inside alone. `rules`
    stand around calls, inside those of the policy."""

    tools: Sequence[Tool] = ()
    withheld: Sequence[str] = ()
    rules: Sequence[Middleware] = ()

    async def answer(self, call: Call, inside: ServerContext) -> Result:
        """The result of one of its own tools."""
        raise LookupError(f"`{call.tool.name}` is not a tool of its own")

    def methods(self, inside: ServerContext) -> Mapping[str, FeatureMethod]:
        """The requests beside those about tools that it answers, by method."""
        return {}

    @asynccontextmanager
    async def running(self, inside: ServerContext) -> AsyncIterator[None]:
        """The time in which the server answers, for what it has to open and close."""
        yield

    def hears(self, context: Context, level: Level) -> bool:
        """Whether whoever sent a request reads messages of the log at a level."""
        return True

    def leave(self) -> None:
        """Ends what would go on for as long as the server does: it is about to end."""


def session_of(context: Context) -> str:
    """The session that a request belongs to, `""` for none."""
    return str(context.request.headers.get("mcp-session-id", "")) if context.request else ""


class ToolView(Feature):
    """Every tool under its own name. A subclass may show others, of its own, in their place."""

    def listed(self, shown: Sequence[Tool]) -> Sequence[Tool]:
        """What stands in the list, of the tools that a caller may see."""
        return shown

    def meant(
        self, name: str, arguments: Mapping[str, Json], known: Callable[[str], bool]
    ) -> tuple[str, Mapping[str, Json]]:
        """The call of a tool known to the caller that a call stands for; itself if for none."""
        return name, arguments

    def message(self, content: Mapping[str, Json]) -> Mapping[str, Json]:
        """A message as it would be if the call that is meant had been made."""
        params = content.get("params")
        if content.get("method") != "tools/call" or not isinstance(params, dict):
            return content
        name, arguments = params.get("name"), params.get("arguments")
        if not isinstance(name, str) or not isinstance(arguments, dict):
            return content
        name, meant = self.meant(name, arguments, lambda _: True)
        return {**content, "params": {**params, "name": name, "arguments": meant}}
