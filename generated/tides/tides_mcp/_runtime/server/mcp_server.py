# Copied by mcpgen from mcpgen-runtime; changes belong in hooks.py or mcpgen.toml.
"""The SDK's servers with their handlers: one server per toolset."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from mcp.server.caching import CacheableMethod, CacheHint
from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp_types import CallToolRequestParams, PaginatedRequestParams

from ..caller import caller_of
from ..result import Result, text_block
from .asgi import INFLIGHT_KEY, Asgi, Receive, Scope, Send
from .client_channel import ClientChannel, ClientChannels, Context, caller_in
from .tool_registry import ToolRegistry, tool_entry


@dataclass(frozen=True)
class ServerInfo:
    """Name, version and instructions for clients. `toolsets`: instructions by the name of a toolset
    with its own endpoint, `""` for the server's instructions. `module`: `__name__` of the module
    that declares the server."""

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

_AUDIO = "2025-03-26"
_RESOURCE_LINKS = "2025-06-18"

LISTS: tuple[CacheableMethod, ...] = (
    "tools/list",
    "resources/list",
    "resources/templates/list",
    "prompts/list",
)
"""Methods that return lists, which are constant while the server runs."""


class ProtocolHandlers:
    """Handlers of the protocol's requests."""

    def __init__(
        self, identity: ServerInfo, registry: ToolRegistry, channels: ClientChannels
    ) -> None:
        self._identity = identity
        self._registry = registry
        self._channels = channels
        self.changes: Any = None
        """The `ListChanges` of a server that takes a new tool table while it serves."""

    async def create_app(
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
        for name, instructions in sets.items():
            session_manager = manager(self.server(instructions, has_sessions=has_sessions))
            await stack.enter_async_context(session_manager.run())
            apps[name] = session_manager.handle_request
        if len(apps) == 1:
            return apps[""]

        async def app_of_toolset(scope: Scope, receive: Receive, send: Send) -> None:
            await apps[caller_of(scope).toolset](scope, receive, send)

        return app_of_toolset

    def server(self, instructions: str = "", *, has_sessions: bool) -> Server[Any]:
        """The SDK's server with the handlers, and the server's instructions by default."""
        server = self._registry.server_class(
            self._identity.name,
            version=self._identity.version,
            title=self._identity.title,
            instructions=instructions or self._identity.instructions or None,
            cache_hints={**dict.fromkeys(LISTS, self._cache_hint()), "server/discover": LIST_LASTS},
            get_tool_input_schema=self._input_schema,
        )
        server.add_request_handler("tools/list", PaginatedRequestParams, self._list)
        server.add_request_handler("tools/call", CallToolRequestParams, self._call)
        self._registry.add_handlers(server, self._channels, has_sessions=has_sessions)
        if self.changes:
            self.changes.add_to(server)
        return server

    def _cache_hint(self) -> CacheHint:
        """The cache time, 0 if the list may change; private if the list depends on the caller."""
        milliseconds = 0 if self.changes else LIST_LASTS.ttl_ms
        return CacheHint(milliseconds, "private" if self._registry.varies_by_caller else "public")

    def _input_schema(self, name: str) -> Mapping[str, Any] | None:
        tool = self._registry.tools.get(name)
        return tool.input_schema if tool else None

    async def _list(self, context: Context, params: PaginatedRequestParams) -> dict[str, Any]:
        if inflight := _inflight_result(context):
            return {"resultType": "complete", **await inflight}
        page = self._registry.page(caller_in(context), params.cursor)
        following = {"nextCursor": page.next_cursor} if page.next_cursor else {}
        return {"resultType": "complete", "tools": [*map(tool_entry, page.tools)], **following}

    async def _call(self, context: Context, params: CallToolRequestParams) -> dict[str, Any]:
        answer = await self._channels.respond(context, partial(self._result, context, params))
        return _older_blocks(answer, context.protocol_version)

    async def _result(
        self, context: Context, params: CallToolRequestParams, client: ClientChannel
    ) -> Result:
        """The result of a call, or of the call started by the fast path."""
        if inflight := _inflight_result(context):
            result: Result = await inflight
            return result
        return await self._registry.result(
            caller_in(context), params.name, params.arguments or {}, client
        )


def _older_blocks(answer: dict[str, Any], revision: str) -> dict[str, Any]:
    """The result with content types of the revision: audio came with 2025-03-26, resource links
    came with 2025-06-18, and a client of an older revision refuses the whole result."""
    if revision >= _RESOURCE_LINKS or not answer.get("content"):
        return answer
    return {**answer, "content": [_older_block(block, revision) for block in answer["content"]]}


def _older_block(block: dict[str, Any], revision: str) -> dict[str, Any]:
    if block["type"] == "resource_link":
        return text_block(f"{block.get('name', '')}: {block['uri']}")
    if block["type"] == "audio" and revision < _AUDIO:
        contents = {"uri": "audio:result", "mimeType": block["mimeType"], "blob": block["data"]}
        return {"type": "resource", "resource": contents}
    return block


def _inflight_result(context: Context) -> Awaitable[Any] | None:
    """The awaitable result of the request, if started by the fast path."""
    begin = context.request.scope.get(INFLIGHT_KEY) if context.request else None
    return begin(context) if begin else None
