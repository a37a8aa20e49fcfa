"""The SDK's servers with their handlers: one server per toolset."""

from __future__ import annotations

import abc
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Protocol

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
    SubscriptionsListenRequestParams,
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
    """Name, version and instructions for clients.

    `toolsets`: instructions by the name of a toolset with its own endpoint, `""` for the server's
    instructions. `module`: `__name__` of the module that declares the server.
    """

    name: str
    title: str
    version: str
    instructions: str = ""
    toolsets: Mapping[str, str] = field(default_factory=dict)
    module: str = ""

    @property
    def package(self) -> str:
        """The project's package with `schemas.json` and `files.json`; `""` without `module`."""
        return self.module.rpartition(".")[0]


LIST_LASTS = CacheHint(ttl_ms=300_000, scope="public")
"""Cache time of the tool list: equal for all clients until the next release."""

LISTS: tuple[CacheableMethod, ...] = (
    "tools/list",
    "resources/list",
    "resources/templates/list",
    "prompts/list",
)
"""Methods that return lists, which are constant while the server runs."""


_LISTEN = "subscriptions/listen"


class StaticListServer(Server[Any]):
    """The SDK's server, announcing that lists never change, so that no list change is notified."""

    def get_capabilities(self, *given: Any, **named: Any) -> ServerCapabilities:
        """The server's capabilities."""
        found = super().get_capabilities(*given, **named)
        for listed in (found.tools, found.resources, found.prompts):
            if listed is not None:
                listed.list_changed = False
        return found


class ListChangeStreams(Protocol):
    """Notifies clients of changed lists."""

    async def listen(
        self, context: Context, params: SubscriptionsListenRequestParams
    ) -> dict[str, Any]:
        """Answers `subscriptions/listen`."""
        ...


class SessionManager(abc.ABC):
    """Manages sessions with clients, unless `kept` is false by the environment."""

    kept = True

    @abc.abstractmethod
    def manager(self, server: Server[Any]) -> StreamableHTTPSessionManager:
        """The session manager for an SDK server."""

    @abc.abstractmethod
    def before(self, app: Asgi, keeping: Asgi) -> Asgi:
        """Routes requests of a session to `keeping`, all other requests to the application."""

    @abc.abstractmethod
    def leave(self) -> None:
        """Ends open streams before shutdown."""


def without_sessions(
    server: Server[Any], *, json_response: bool = False
) -> StreamableHTTPSessionManager:
    """A session manager without sessions, answering with JSON or events."""
    return StreamableHTTPSessionManager(server, stateless=True, json_response=json_response)


class ProtocolHandlers:
    """Handlers of the protocol's requests."""

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
        self.changes: ListChangeStreams | None = None

    async def answering(
        self,
        stack: AsyncExitStack,
        manager: Callable[[Server[Any]], StreamableHTTPSessionManager],
        *,
        has_sessions: bool = False,
    ) -> Asgi:
        """The SDK's application, running until the stack ends: one server per toolset, each with a
        session manager."""
        apps: dict[str, Asgi] = {}
        sets = {"": self._identity.instructions, **self._identity.toolsets}
        for name, told in sets.items():
            managing = manager(self.server(told, has_sessions=has_sessions))
            await stack.enter_async_context(managing.run())
            apps[name] = managing.handle_request
        if len(apps) == 1:
            return apps[""]

        async def chosen(scope: Scope, receive: Receive, send: Send) -> None:
            await apps[caller_of(scope).toolset](scope, receive, send)

        return chosen

    def server(self, instructions: str = "", *, has_sessions: bool) -> Server[Any]:
        """The SDK's server with the handlers, and the server's instructions by default."""
        methods = [offer.methods(self._catalogue.inside) for offer in self._offers]
        # A server with resource subscriptions has streams of its own.
        changes = None if any(_LISTEN in named for named in methods) else self.changes
        server = (Server[Any] if changes else StaticListServer)(
            self._identity.name,
            version=self._identity.version,
            title=self._identity.title,
            instructions=instructions or self._identity.instructions or None,
            cache_hints={**dict.fromkeys(LISTS, self._lasts()), "server/discover": LIST_LASTS},
            get_tool_input_schema=self._input_schema,
        )
        if changes:
            server.add_request_handler(_LISTEN, SubscriptionsListenRequestParams, changes.listen)
        server.add_request_handler("tools/list", PaginatedRequestParams, self._list)
        server.add_request_handler("tools/call", CallToolRequestParams, self._call)
        for named in methods:
            for name, method in named.items():
                if method.needs_session and not has_sessions:
                    continue
                answer = partial(self._asking, method.answer) if method.asks else method.answer
                server.add_request_handler(name, method.params, answer)
        return server

    async def _asking(
        self, answer: Callable[..., Awaitable[dict[str, Any]]], context: Context, params: Any
    ) -> dict[str, Any]:
        """Answers a request that may ask the client. Raises `MCPError` if a needed answer is
        missing."""

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
        """Cache time of the tool list; 0 if the list may change, private if the list depends on the caller."""
        milliseconds = 0 if self.changes else LIST_LASTS.ttl_ms
        return CacheHint(milliseconds, "private" if self._catalogue.varies else "public")

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
        """The result of a call, or of the call started by the fast path."""
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
    """The error of a request whose client was not or cannot be asked."""
    text = str(result.content[0]["text"])
    if result.needs is None or context.protocol_version not in MODERN_PROTOCOL_VERSIONS:
        return MCPError(INVALID_REQUEST, text)
    needs = {"requiredCapabilities": result.needs}
    return MCPError(MISSING_REQUIRED_CLIENT_CAPABILITY, text, needs)


def _begun(context: Context) -> Awaitable[Any] | None:
    """The awaitable result of the request, if started by the fast path."""
    begun: Awaitable[Any] | None = (
        context.request.scope.get(INFLIGHT_KEY) if context.request else None
    )
    return begun
