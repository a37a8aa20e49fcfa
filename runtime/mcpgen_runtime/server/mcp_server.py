"""What the SDK is given to answer with: one server for each set of tools."""

from __future__ import annotations

import abc
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from mcp.server.caching import CacheableMethod, CacheHint
from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_REQUEST,
    MISSING_REQUIRED_CLIENT_CAPABILITY,
    CallToolRequestParams,
    PaginatedRequestParams,
    ServerCapabilities,
)
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from ..caller import caller_of
from ..elicitation.client_channel import (
    ClientChannel,
    Context,
    InputRequired,
    NoAnswer,
    QuestionLimits,
    RequestRound,
)
from ..elicitation.rounds import RequestRounds, caller_in
from ..result import Result
from .asgi import CLIENT, INFLIGHT_KEY, Asgi, Receive, Scope, Send
from .feature import Feature
from .tool_list import tool_entry
from .tool_registry import ToolRegistry


@dataclass(frozen=True)
class ServerInfo:
    """The name, version and instructions that clients are told.

    `toolsets`: instructions by the name of a tool set with its own endpoint, `""` for the server's instructions.
    `module`: `__name__` of the module that declares the server.
    """

    name: str
    title: str
    version: str
    instructions: str = ""
    toolsets: Mapping[str, str] = field(default_factory=dict)
    module: str = ""

    @property
    def package(self) -> str:
        """The project's package, which holds `schemas.json` and `files.json`; `""` without `module`."""
        return self.module.rpartition(".")[0]


LIST_LASTS = CacheHint(ttl_ms=300_000, scope="public")
"""How long clients may keep the list of tools: it is the same for all, until the next release."""

LISTS: tuple[CacheableMethod, ...] = (
    "tools/list",
    "resources/list",
    "resources/templates/list",
    "prompts/list",
)
"""The requests that are answered with a list, which stays as it is while the server runs."""


class StaticListServer(Server[Any]):
    """The SDK's server, which says of its lists what is true: they never change while it runs, so
    nobody is told that they have."""

    def get_capabilities(self, *given: Any, **named: Any) -> ServerCapabilities:
        """What the server can do."""
        found = super().get_capabilities(*given, **named)
        for listed in (found.tools, found.resources, found.prompts):
            if listed is not None:
                listed.list_changed = False
        return found


class SessionManager(abc.ABC):
    """What keeps sessions with clients, unless the environment says that none are `kept`."""

    kept = True

    @abc.abstractmethod
    def manager(self, server: Server[Any]) -> StreamableHTTPSessionManager:
        """What keeps the sessions of one of the SDK's servers."""

    @abc.abstractmethod
    def before(self, app: Asgi, keeping: Asgi) -> Asgi:
        """The application behind an entrance that leads to `keeping` what belongs to a session."""

    @abc.abstractmethod
    def leave(self) -> None:
        """Ends the streams that would go on for as long as the server does: it is about to end."""


def without_sessions(
    server: Server[Any], *, json_response: bool = False
) -> StreamableHTTPSessionManager:
    """What answers each request by itself, with JSON or with events."""
    return StreamableHTTPSessionManager(server, stateless=True, json_response=json_response)


class ProtocolHandlers:
    """What a server answers to requests of the protocol."""

    def __init__(
        self,
        identity: ServerInfo,
        catalogue: ToolRegistry,
        offers: Sequence[Feature],
        limits: QuestionLimits,
        rounds: RequestRounds,
    ) -> None:
        self._identity = identity
        self._catalogue = catalogue
        self._offers = offers
        self._limits = limits
        self._rounds = rounds

    async def answering(
        self,
        stack: AsyncExitStack,
        manager: Callable[[Server[Any]], StreamableHTTPSessionManager],
        *,
        has_sessions: bool = False,
    ) -> Asgi:
        """The SDK's application, running until the stack ends; one server for each set of tools, each
        with what brings it to HTTP, which keeps sessions or does not."""
        apps: dict[str, Asgi] = {}
        sets = {"": self._identity.instructions, **self._identity.toolsets}
        for name, told in sets.items():
            managing = manager(self._server(told, has_sessions))
            await stack.enter_async_context(managing.run())
            apps[name] = managing.handle_request
        if len(apps) == 1:
            return apps[""]

        async def chosen(scope: Scope, receive: Receive, send: Send) -> None:
            await apps[caller_of(scope).toolset](scope, receive, send)

        return chosen

    def _server(self, instructions: str, has_sessions: bool) -> Server[Any]:
        server = StaticListServer(
            self._identity.name,
            version=self._identity.version,
            title=self._identity.title,
            instructions=instructions or self._identity.instructions or None,
            cache_hints={**dict.fromkeys(LISTS, self._lasts()), "server/discover": LIST_LASTS},
            get_tool_input_schema=self._input_schema,
        )
        server.add_request_handler("tools/list", PaginatedRequestParams, self._list)
        server.add_request_handler("tools/call", CallToolRequestParams, self._call)
        for offer in self._offers:
            for name, method in offer.methods(self._catalogue.inside).items():
                if method.needs_session and not has_sessions:
                    continue
                answer = partial(self._asking, method.answer) if method.asks else method.answer
                server.add_request_handler(name, method.params, answer)
        return server

    async def _asking(
        self, answer: Callable[..., Awaitable[dict[str, Any]]], context: Context, params: Any
    ) -> dict[str, Any]:
        """The answer to a request that may ask its client. Raises `MCPError` where there is no answer
        to go on with."""

        async def made(round: RequestRound) -> dict[str, Any]:
            meta = (context.params or {}).get("_meta")
            try:
                return await answer(
                    context, params, ClientChannel(self._limits, context, meta, round)
                )
            except InputRequired as asking:
                return asking.result.wire()
            except NoAnswer as fault:
                raise _unheard(fault.result, context) from None

        return await self._rounds.answered(context, made)

    def _lasts(self) -> CacheHint:
        """How long the list lasts; one that depends on the caller is nobody else's."""
        varies = self._catalogue.varies
        return CacheHint(LIST_LASTS.ttl_ms, "private") if varies else LIST_LASTS

    def _input_schema(self, name: str) -> Mapping[str, Any] | None:
        tool = self._catalogue.tools.get(name)
        return tool.input_schema if tool else None

    async def _list(self, context: Context, params: PaginatedRequestParams) -> dict[str, Any]:
        if begun := _begun(context):
            return {"resultType": "complete", **await begun}
        page = self._catalogue.page(caller_in(context), params.cursor)
        following = {"nextCursor": page.following} if page.following else {}
        return {"resultType": "complete", "tools": [*map(tool_entry, page.tools)], **following}

    async def _call(self, context: Context, params: CallToolRequestParams) -> dict[str, Any]:
        async def made(round: RequestRound) -> dict[str, Any]:
            result = await self._result(context, params, round)
            if result.needs is not None and context.protocol_version in MODERN_PROTOCOL_VERSIONS:
                raise _unheard(result, context)
            return result.wire()

        return await self._rounds.answered(context, made)

    async def _result(
        self, context: Context, params: CallToolRequestParams, round: RequestRound
    ) -> Result:
        """The result of a call, or of the one that the fast path has begun."""
        if begun := _begun(context):
            if context.request and (client := context.request.scope.get(CLIENT)):
                client.found(context)
            result: Result = await begun
            return result
        meta = (context.params or {}).get("_meta")
        client = ClientChannel(self._limits, context, meta, round)
        return await self._catalogue.result(
            caller_in(context), params.name, params.arguments or {}, client
        )


def _unheard(result: Result, context: Context) -> MCPError:
    """The error of a request whose client was not, or cannot be, asked."""
    text = str(result.content[0]["text"])
    if result.needs is None or context.protocol_version not in MODERN_PROTOCOL_VERSIONS:
        return MCPError(INVALID_REQUEST, text)
    needs = {"requiredCapabilities": result.needs}
    return MCPError(MISSING_REQUIRED_CLIENT_CAPABILITY, text, needs)


def _begun(context: Context) -> Awaitable[Any] | None:
    """What a request will result in, if the fast path has begun it."""
    begun: Awaitable[Any] | None = (
        context.request.scope.get(INFLIGHT_KEY) if context.request else None
    )
    return begun
