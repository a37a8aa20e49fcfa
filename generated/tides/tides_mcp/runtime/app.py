"""The MCP server as an ASGI application, for every revision of the protocol at once."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from difflib import get_close_matches
from typing import Any

from mcp.server.caching import CacheHint
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS, CallToolRequestParams, PaginatedRequestParams

from .announce import announced
from .calls import Calls
from .edge import Edge
from .guard import Guard
from .hooks import Hooks
from .http import Receive, Scope, Send
from .identity import Identity
from .security import SecurityScheme, Vault
from .settings import ServerSettings
from .tool import Tool
from .upstream import Upstream

LIST_LASTS = CacheHint(ttl_ms=300_000, scope="public")
"""How long clients may keep the list of tools: it is the same for all, until the next release."""

Context = ServerRequestContext[Any, Any]


class App:
    """One server. It is ASGI, and `running` is what happens between its start and its end."""

    def __init__(
        self,
        identity: Identity,
        tools: Sequence[Tool],
        schemes: Sequence[SecurityScheme],
        settings: ServerSettings,
        hooks: Hooks,
    ) -> None:
        self.identity = identity
        self.settings = settings
        self._tools = {tool.name: tool for tool in tools}
        _refuse_strangers(hooks, self._tools)
        self._upstream = Upstream(settings, f"{identity.name}/{identity.version}", hooks.client)
        self._calls = Calls(self._upstream, Vault(schemes, settings), hooks)
        self._edge: Edge | None = None

    @asynccontextmanager
    async def running(self) -> AsyncIterator[App]:
        """The time in which requests are answered."""
        server = self._server()
        json_manager = StreamableHTTPSessionManager(server, stateless=True, json_response=True)
        event_manager = StreamableHTTPSessionManager(server, stateless=True)
        async with AsyncExitStack() as stack:
            await stack.enter_async_context(self._upstream)
            await stack.enter_async_context(json_manager.run())
            await stack.enter_async_context(event_manager.run())
            self._edge = Edge(
                json_manager.handle_request,
                event_manager.handle_request,
                Guard(self.settings),
                self.settings.request_bytes,
            )
            yield self
            self._edge = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """ASGI: a request, or the lifespan around all of them."""
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        elif scope["type"] == "http" and self._edge:
            await self._edge(scope, receive, send)

    async def _live(self, receive: Receive, send: Send) -> None:
        await receive()
        async with self.running():
            await send({"type": "lifespan.startup.complete"})
            await receive()
        await send({"type": "lifespan.shutdown.complete"})

    def _server(self) -> Server[Any]:
        server: Server[Any] = Server(
            self.identity.name,
            version=self.identity.version,
            title=self.identity.title,
            instructions=self.identity.instructions or None,
            cache_hints={"tools/list": LIST_LASTS, "server/discover": LIST_LASTS},
            get_tool_input_schema=self._input_schema,
        )
        server.add_request_handler("tools/list", PaginatedRequestParams, self._list)
        server.add_request_handler("tools/call", CallToolRequestParams, self._call)
        return server

    def _input_schema(self, name: str) -> Mapping[str, Any] | None:
        tool = self._tools.get(name)
        return tool.input_schema if tool else None

    async def _list(self, _: Context, params: PaginatedRequestParams) -> dict[str, Any]:
        if params.cursor is not None:
            raise MCPError(INVALID_PARAMS, "There is no such page: the list has one")
        tools = [announced(tool) for tool in self._tools.values()]
        return {"resultType": "complete", "tools": tools}

    async def _call(self, _: Context, params: CallToolRequestParams) -> dict[str, Any]:
        tool = self._tools.get(params.name)
        if tool is None:
            raise MCPError(INVALID_PARAMS, f"Unknown tool: {params.name[:128]}")
        result = await self._calls.call(tool, params.arguments or {})
        return result.wire()


def _refuse_strangers(hooks: Hooks, tools: Mapping[str, Tool]) -> None:
    """Raises `ValueError` for a hook on a tool that does not exist: it would never run."""
    for name in hooks.tools:
        if name not in tools:
            near = get_close_matches(name, tools, 1)
            hint = f"; did you mean `{near[0]}`?" if near else ""
            raise ValueError(f"hooks.py overrides `{name}`, which is not a tool{hint}")


def create_app(
    identity: Identity,
    tools: Sequence[Tool],
    schemes: Sequence[SecurityScheme],
    settings: ServerSettings,
    hooks: Hooks,
) -> App:
    """The ASGI application that serves these tools at `/mcp`, and `/healthz` for probes."""
    return App(identity, tools, schemes, settings, hooks)
