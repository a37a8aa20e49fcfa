"""The MCP server as an ASGI application, for every revision of the protocol at once."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, contextmanager
from difflib import get_close_matches
from typing import Any

from mcp.server.caching import CacheHint
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS, CallToolRequestParams, PaginatedRequestParams

from .announce import announced
from .caller import ANYBODY, Caller, caller_of
from .calls import Calls
from .edge import Edge, closed
from .fast_path import FastPath, Lists
from .guard import Guard
from .hooks import Call, Hooks
from .http import Asgi, Receive, Scope, Send
from .identity import Identity
from .moulds import BEGUN
from .policy import Refusal, Rule, Told, having
from .probes import PATHS, answer_probe
from .result import Result
from .screen import Screened
from .security import SecurityScheme, Vault
from .settings import ServerSettings
from .surface import Surface
from .tool import Json, Tool
from .upstream import Upstream

LIST_LASTS = CacheHint(ttl_ms=300_000, scope="public")
"""How long clients may keep the list of tools: it is the same for all, until the next release."""

_PLAIN = Surface()

Context = ServerRequestContext[Any, Any]


class App:
    """One server. It is ASGI, and `running` is what happens between its start and its end; `draining`
    is set by whoever is about to end it."""

    def __init__(
        self,
        identity: Identity,
        tools: Sequence[Tool],
        schemes: Sequence[SecurityScheme],
        settings: ServerSettings,
        hooks: Hooks,
        rules: Sequence[Rule] = (),
        surface: Surface | None = None,
    ) -> None:
        self.identity = identity
        self.settings = settings
        self.draining = False
        self._rules = rules
        self._deciding = having(rules, "ready")
        self._hiding = having(rules, "shows")
        self._withholding = having(rules, "knows")
        self._varies = bool(self._hiding or self._withholding)
        self._permitting = having(rules, "allows")
        self._watching = having(rules, "refused")
        _refuse_strangers(hooks, {tool.name: tool for tool in tools})
        self._lifespan = hooks.lifespan
        self._surface = surface or _PLAIN
        self._offered = [tool for tool in tools if all(rule.offers(tool) for rule in rules)]
        self._tools = {tool.name: tool for tool in (*self._surface.own, *self._offered)}
        names = {tool.name for tool in (*self._surface.own, *tools)}
        for rule in having(rules, "refuse_unknown"):
            rule.refuse_unknown(names)
        hooks = hooks.answering({tool.name: self._own for tool in self._surface.own})
        self._upstream = Upstream(settings, f"{identity.name}/{identity.version}", hooks.client)
        self._calls = Calls(
            self._upstream, Vault(schemes, settings), hooks, rules, settings.calls_at_once
        )
        self._entrance: Asgi | None = None

    @asynccontextmanager
    async def running(self) -> AsyncIterator[App]:
        """The time in which requests are answered."""
        sets = {"": self.identity.instructions, **self.identity.toolsets}
        servers = {name: self._server(told) for name, told in sets.items()}
        async with AsyncExitStack() as stack:
            await stack.enter_async_context(self._upstream)
            if self._lifespan:
                opened = self._lifespan(self.settings)
                self._calls.state = await stack.enter_async_context(opened)
            json_app = await _answering(servers, stack, json_response=True)
            event_app = await _answering(servers, stack, json_response=False)
            for rule in self._rules:
                await stack.enter_async_context(rule.running())
            if self.settings.fast_path:
                lists = Lists(self._tools.values())
                json_app = self._hastened(json_app, lists, events=False)
                event_app = self._hastened(event_app, lists, events=True)
            edge = Edge(
                self._screened(json_app),
                self._screened(event_app),
                Guard(self.settings),
                self.settings.request_bytes,
            )
            self._entrance = self._gated(edge) if self.settings.enabled else closed
            yield self
            self._entrance = None

    @property
    def needs_upstream(self) -> bool:
        """Whether some tool sends requests by itself, and so cannot do without an address of the API."""
        return any(tool.route for tool in self._offered)

    @contextmanager
    def supervised(self) -> Iterator[None]:
        """The time in which other processes answer requests in this one's place."""
        with ExitStack() as stack:
            for rule in self._rules:
                stack.enter_context(rule.supervised())
            yield

    def address(self, path: str = "/mcp") -> str:
        """The path at which clients reach what lies at a path inside, with parameters in braces."""
        for rule in reversed(self._rules):
            path = rule.address(path)
        return path

    def _screened(self, app: Asgi) -> Asgi:
        """The SDK's application behind the rules that look at messages."""
        rules = having(self._rules, "screen")
        if not rules:
            return app
        return Screened(app, rules, self._watching, self._surface.message, self._allows)

    def _hastened(self, app: Asgi, lists: Lists, *, events: bool) -> Asgi:
        """The SDK's application behind the fast path."""
        return FastPath(app, lists, self._tools, self._listed, self._result, events=events)

    def _allows(self, caller: Caller, name: str) -> bool:
        """Whether a caller may call the tool of a name."""
        tool = self._tools.get(name)
        if tool is None or not self._knows(caller, tool):
            return False
        return all(rule.allows(caller, tool) for rule in self._permitting)

    def _gated(self, app: Asgi) -> Asgi:
        """The application with the rules around it that look at every request."""
        for rule in reversed(self._rules):
            app = rule.gate(app)
        return app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """ASGI: a request, or the lifespan around all of them."""
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        elif scope["type"] == "http" and self._entrance:
            if scope["path"] in PATHS:
                await answer_probe(scope["path"], self._deciding, self.draining, send)
                return
            await self._entrance(scope, receive, send)

    async def _live(self, receive: Receive, send: Send) -> None:
        await receive()
        async with self.running():
            await send({"type": "lifespan.startup.complete"})
            await receive()
        await send({"type": "lifespan.shutdown.complete"})

    def _server(self, instructions: str) -> Server[Any]:
        server: Server[Any] = Server(
            self.identity.name,
            version=self.identity.version,
            title=self.identity.title,
            instructions=instructions or self.identity.instructions or None,
            cache_hints={"tools/list": self._lasts(), "server/discover": LIST_LASTS},
            get_tool_input_schema=self._input_schema,
        )
        server.add_request_handler("tools/list", PaginatedRequestParams, self._list)
        server.add_request_handler("tools/call", CallToolRequestParams, self._call)
        return server

    def _lasts(self) -> CacheHint:
        """How long the list lasts; one that depends on the caller is nobody else's."""
        return CacheHint(LIST_LASTS.ttl_ms, "private") if self._varies else LIST_LASTS

    def _input_schema(self, name: str) -> Mapping[str, Any] | None:
        tool = self._tools.get(name)
        return tool.input_schema if tool else None

    async def _list(self, context: Context, params: PaginatedRequestParams) -> dict[str, Any]:
        if params.cursor is not None:
            raise MCPError(INVALID_PARAMS, "There is no such page: the list has one")
        if begun := _begun(context):
            return {"resultType": "complete", "tools": await begun}
        tools = [announced(tool) for tool in self._listed(_caller(context))]
        return {"resultType": "complete", "tools": tools}

    def _listed(self, caller: Caller) -> Sequence[Tool]:
        """What stands in the list for a caller."""
        return self._seen(caller).listed(self._shown(caller))

    def _seen(self, caller: Caller) -> Surface:
        """What a caller sees of the tools; at the endpoint of a set, the tools themselves."""
        return _PLAIN if caller.toolset else self._surface

    def _shown(self, caller: Caller) -> Sequence[Tool]:
        """The tools of the API that a caller finds."""
        if not self._varies:
            return self._offered
        return [tool for tool in self._offered if self._shows(caller, tool)]

    def _shows(self, caller: Caller, tool: Tool) -> bool:
        return self._knows(caller, tool) and all(rule.shows(caller, tool) for rule in self._hiding)

    def _knows(self, caller: Caller, tool: Tool) -> bool:
        """Whether a tool is there for a caller."""
        if tool in self._surface.own:
            return tool in self._seen(caller).own
        return all(rule.knows(caller, tool) for rule in self._withholding)

    async def _own(self, call: Call) -> Result:
        """The result of a tool that is none of the API."""
        return await self._surface.answer(call, self._shown(call.caller))

    async def _call(self, context: Context, params: CallToolRequestParams) -> dict[str, Any]:
        begun = _begun(context) or self._result(
            _caller(context), params.name, params.arguments or {}
        )
        result: Result = await begun
        return result.wire()

    async def _result(self, caller: Caller, name: str, arguments: Mapping[str, Json]) -> Result:
        """The result of a call by the name that a caller sees."""

        def known(name: str) -> bool:
            return name in self._tools and self._knows(caller, self._tools[name])

        name, arguments = self._seen(caller).meant(name, arguments, known)
        if not known(name):
            await self._tell_refused(caller, name)
            raise MCPError(INVALID_PARAMS, f"Unknown tool: {name[:128]}")
        return await self._calls.call(self._tools[name], arguments, caller)

    async def _tell_refused(self, caller: Caller, name: str) -> None:
        """Tells the rules that take notice of it of a call of a tool that is not there for a caller."""
        told = Told(caller, {"method": "tools/call", "params": {"name": name}}, allowed=False)
        for rule in self._watching:
            await rule.refused(told, Refusal(200, INVALID_PARAMS, "Unknown tool"))


async def _answering(
    servers: Mapping[str, Server[Any]], stack: AsyncExitStack, *, json_response: bool
) -> Asgi:
    """The SDK's application, running until the stack ends; one server for each set of tools."""
    apps: dict[str, Asgi] = {}
    for name, server in servers.items():
        manager = StreamableHTTPSessionManager(server, stateless=True, json_response=json_response)
        await stack.enter_async_context(manager.run())
        apps[name] = manager.handle_request
    if len(apps) == 1:
        return apps[""]

    async def chosen(scope: Scope, receive: Receive, send: Send) -> None:
        await apps[caller_of(scope).toolset](scope, receive, send)

    return chosen


def _caller(context: Context) -> Caller:
    """Who sent the message that is answered."""
    return caller_of(context.request.scope) if context.request else ANYBODY


def _begun(context: Context) -> Awaitable[Any] | None:
    """What a request will result in, if the fast path has begun it."""
    begun: Awaitable[Any] | None = context.request.scope.get(BEGUN) if context.request else None
    return begun


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
    rules: Sequence[Rule] = (),
    surface: Surface | None = None,
) -> App:
    """The ASGI application that serves these tools at `/mcp`, and probes; `rules` are its policy, the
    outermost first, and `surface` is what clients see of the tools."""
    return App(identity, tools, schemes, settings, hooks, rules, surface)
