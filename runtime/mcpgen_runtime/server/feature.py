"""Base class of features that add tools or protocol methods, and the tools view of clients."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS, PaginatedRequestParams, RequestParams

from ..caller import Caller
from ..hooks import Call
from ..result import Result
from ..tool import Json, Tool
from .client_channel import Context, Level
from .middleware import Middleware


@dataclass(frozen=True)
class FeatureMethod:
    """A protocol method: the SDK's model of the parameters, and the function that answers in MCP
    format. With `needs_session`, registered only with sessions. With `asks`, the function gets the
    client as an additional argument."""

    params: type[RequestParams]
    answer: Callable[..., Awaitable[dict[str, Any]]]
    needs_session: bool = False
    asks: bool = False


@dataclass(frozen=True)
class ServerContext:
    """The server as seen by a feature: `shown` tools of the API for a caller; the tool `found` by
    name or None, including withheld tools; whether a caller is allowed a tool; and `call`, which
    makes a call as a caller, through all rules and without pagination. `package` is the project's
    package with `files.json`."""

    shown: Callable[[Caller], Sequence[Tool]]
    found: Callable[[Caller, str], Tool | None]
    allows: Callable[[Caller, str], bool]
    call: Callable[[Caller, str, Mapping[str, Json]], Awaitable[Result]]
    package: str = ""


def refuse_pages(params: PaginatedRequestParams) -> None:
    """Raises `MCPError` for a cursor: lists of features have a single page."""
    if params.cursor is not None:
        raise MCPError(INVALID_PARAMS, "There is no such page: the list has one")


class Feature:
    """A feature of a server. `tools` are listed after the API's tools at the main endpoint, and
    answered by `answer`; the policy applies. `withheld` are API tools that clients cannot see or
    call, for internal use. `rules` run around calls, inside the policy."""

    tools: Sequence[Tool] = ()
    withheld: Sequence[str] = ()
    rules: Sequence[Middleware] = ()

    async def answer(self, call: Call, inside: ServerContext) -> Result:
        """Answers a call of one of the feature's tools."""
        raise LookupError(f"`{call.tool.name}` is not a tool of its own")

    def methods(self, inside: ServerContext) -> Mapping[str, FeatureMethod]:
        """The protocol methods of the feature, by name."""
        return {}

    @asynccontextmanager
    async def running(self, inside: ServerContext) -> AsyncIterator[None]:
        """Opens and closes resources of the feature."""
        yield

    def hears(self, context: Context, level: Level) -> bool:
        """True if the sender of a request wants log messages of a level."""
        return True

    def leave(self) -> None:
        """Ends open streams before shutdown."""


def session_of(context: Context) -> str:
    """The session id of a request, `""` without a session."""
    return str(context.request.headers.get("mcp-session-id", "")) if context.request else ""


class ToolView(Feature):
    """Shows every tool under its own name. Subclasses may show other tools instead."""

    def listed(self, shown: Sequence[Tool]) -> Sequence[Tool]:
        """The listed tools, given the tools visible to a caller."""
        return shown

    def meant(
        self, name: str, arguments: Mapping[str, Json], known: Callable[[str], bool]
    ) -> tuple[str, Mapping[str, Json]]:
        """The name and arguments of the actual call behind a call; unchanged if there is none."""
        return name, arguments

    def message(self, content: Mapping[str, Json]) -> Mapping[str, Json]:
        """The message with the actual call in place of the given call."""
        params = content.get("params")
        if content.get("method") != "tools/call" or not isinstance(params, dict):
            return content
        name, arguments = params.get("name"), params.get("arguments")
        if not isinstance(name, str) or not isinstance(arguments, dict):
            return content
        name, meant = self.meant(name, arguments, lambda _: True)
        return {**content, "params": {**params, "name": name, "arguments": meant}}
