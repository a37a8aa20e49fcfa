# Copied by mcpgen from mcpgen-runtime; changes belong in hooks.py or mcpgen.toml.
"""The MCP server as an ASGI application for all protocol revisions, with `/healthz` and `/readyz`.

Probes: https://kubernetes.io/docs/concepts/configuration/liveness-readiness-startup-probes/"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, contextmanager
from difflib import get_close_matches
from functools import partial
from typing import Any
from urllib.parse import quote

from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.applications import Starlette
from starlette.routing import Route

from ..extensions import INSTALLED, Definitions, Install
from ..hooks import Handler, Hooks
from ..observability.logs import set_log_level
from ..settings import ServerSettings
from ..tool import Tool
from ..upstream.client import UpstreamClient
from ..upstream.secret_store import HeaderScheme, SecretStore
from .asgi import Asgi, Receive, Scope, Send, respond, rpc_error
from .calls import OpenTokens, ToolCaller
from .client_channel import ClientChannels, WantsLog
from .invocation import Rule, rules_overriding
from .mcp_server import ProtocolHandlers, ServerInfo
from .tool_registry import OpenRegistry, ToolRegistry
from .transport_guard import LargeAnswers, OriginCheck, TransportGuard, respond_disabled

__all__ = ["Accelerate", "App", "OpenFastPath", "ServerInfo", "create_app"]

LIVE = "/healthz"
READY = "/readyz"
_NOT_RUNNING = "The server is not running: an application that mounts it has to run its lifespan"

_METADATA = "/.well-known/oauth-protected-resource"

PATHS = (LIVE, READY)  # Paths of the probes, open to everybody


class StartupError(Exception):
    """The reason why the server cannot start, as one line."""


async def answer_probe(path: str, rules: Sequence[Rule], draining: bool, send: Send) -> None:
    """Answers a probe: 200, or 503 if the server is draining or a rule is not ready."""
    if path == LIVE:
        await respond(send, 200, {"status": "ok"})
        return
    reasons = ["the server is about to end"] if draining else []
    reasons += [reason for rule in rules if (reason := await rule.ready())]
    if reasons:
        await respond(send, 503, {"status": "not ready", "reasons": reasons})
    else:
        await respond(send, 200, {"status": "ready"})


Accelerate = Callable[[Asgi, bool], Asgi]
"""Wraps an application of the SDK; the flag is True for the application that answers with event streams."""

OpenFastPath = Callable[[ToolRegistry, ClientChannels], Accelerate | None]
"""Makes the fast path of a running server."""

OpenQuestions = Callable[[str, ServerSettings, Sequence[Rule], WantsLog], ClientChannels]
"""Makes the channels of a server, by name, whose calls may ask their clients."""


class App:
    """The ASGI application that serves tools at `/mcp`, and probes.

    `rules` are the policy, outermost first, and `extensions` install optional modules. Parts of
    servers with more features: `registry` is `feature_registry(…)`, `sessions` are `Sessions`,
    `fast_path` is `open_fast_path`, `tokens` is `ClientCredentialsTokens`, `questions` is
    `open_questions`, and `upstream` makes the client of an API in the same process. `running` is
    the lifespan; `draining` is set before the end.
    """

    def __init__(
        self,
        identity: ServerInfo,
        tools: Sequence[Tool],
        schemes: Sequence[HeaderScheme],
        settings: ServerSettings,
        hooks: Hooks,
        rules: Sequence[Rule] = (),
        registry: OpenRegistry = ToolRegistry,
        sessions: Any = None,
        fast_path: OpenFastPath | None = None,
        extensions: Sequence[Install] = (),
        tokens: OpenTokens | None = None,
        questions: OpenQuestions | None = None,
        upstream: Callable[..., UpstreamClient] | None = None,
    ) -> None:
        self.identity = identity
        if identity.package:
            set_log_level(settings, identity.package)
        self.settings = settings
        self.draining = False
        self._fast_path = fast_path
        for install in extensions:
            install(INSTALLED)
        self._sessions = sessions if sessions and sessions.is_enabled else None
        _refuse_unknown_hooks(hooks, {tool.name: tool for tool in tools})
        self._lifespan = hooks.lifespan
        self._upstream = (upstream or UpstreamClient)(
            settings, f"{identity.name}/{identity.version}", hooks.client
        )

        definitions = (INSTALLED.definitions or Definitions)(identity.package)

        def make_tool_caller(handlers: Mapping[str, Handler], rules: Sequence[Rule]) -> ToolCaller:
            store = SecretStore(schemes, settings)
            all_hooks = hooks.answering(handlers)
            limit = settings.calls_at_once
            return ToolCaller(self._upstream, store, all_hooks, rules, limit, definitions, tokens)

        self._registry = registry(tools, rules, make_tool_caller, identity.package)
        self._rules = rules = self._registry.rules
        self._readiness_rules = rules_overriding(rules, "ready")
        names = {*self._registry.tools, *(tool.name for tool in tools)}
        for rule in rules_overriding(rules, "refuse_unknown"):
            rule.refuse_unknown(names)
        wants_log = self._registry.wants_log
        self._channels = ClientChannels(wants_log)
        if questions:
            self._channels = questions(identity.name, settings, rules, wants_log)
        self._protocol = ProtocolHandlers(identity, self._registry, self._channels)
        self._active_app: Asgi | None = None

    @asynccontextmanager
    async def running(self) -> AsyncIterator[App]:
        """Starts everything needed for requests; stops it at the end."""
        async with AsyncExitStack() as stack:
            await self._open_upstream(stack)
            manager = partial(
                StreamableHTTPSessionManager,
                stateless=True,
                max_request_body_size=self.settings.request_bytes,
            )
            with_json = partial(manager, json_response=True)
            json_app = await self._protocol.create_app(stack, with_json)
            event_app: Asgi = LargeAnswers(await self._protocol.create_app(stack, manager))
            await self._open_rules(stack)
            if self._fast_path and self.settings.fast_path:
                accelerate = self._fast_path(self._registry, self._channels)
                if accelerate:
                    json_app = accelerate(json_app, False)
                    event_app = accelerate(event_app, True)
            if self._sessions:
                session_app = await self._protocol.create_app(
                    stack, self._sessions.create_manager, has_sessions=True
                )
                event_app = self._sessions.route(event_app, LargeAnswers(session_app))
            guard = TransportGuard(
                self._registry.with_message_rules(json_app),
                self._registry.with_message_rules(event_app),
                OriginCheck(self.settings),
                self.settings.request_bytes,
                has_sessions=self._sessions is not None,
            )
            self._active_app = self._gate(guard) if self.settings.enabled else respond_disabled
            yield self
            self._active_app = None
            self.disconnect_clients()

    @asynccontextmanager
    async def connected(self, app: Asgi, toolset: str) -> AsyncIterator[tuple[Server[Any], Asgi]]:
        """Starts everything needed for the messages of one client without HTTP. Yields the SDK's
        server of a toolset, and `app` wrapped in the rules around requests and messages."""
        async with AsyncExitStack() as stack:
            await self._open_upstream(stack)
            await self._open_rules(stack)
            instructions = self.identity.toolsets.get(toolset, "")
            server = self._protocol.server(instructions, has_sessions=True)
            yield server, self._gate(self._registry.with_message_rules(app))
            self.disconnect_clients()

    async def _open_upstream(self, stack: AsyncExitStack) -> None:
        await stack.enter_async_context(self._upstream)
        if self._lifespan:
            context = self._lifespan(self.settings)
            self._registry.calls.state = await stack.enter_async_context(context)

    async def _open_rules(self, stack: AsyncExitStack) -> None:
        for rule in self._rules:
            await stack.enter_async_context(rule.running())
        await stack.enter_async_context(self._registry.running())

    def http_only_rules(self) -> list[str]:
        """The reasons why rules cannot run without HTTP, in the order of the rules."""
        return [reason for rule in self._rules if (reason := rule.http_only())]

    def disconnect_clients(self) -> None:
        """Ends open streams and unanswered questions."""
        self._channels.end_questions()
        self.end_streams()

    def end_streams(self) -> None:
        """Ends the streams of sessions and features."""
        if self._sessions:
            self._sessions.end_streams()
        self._registry.end_streams()

    def announce_changes(self, changes: Any) -> None:
        """Announces before the start that lists may change; `changes` are the `ListChanges`."""
        self._protocol.changes = changes

    @property
    def needs_upstream(self) -> bool:
        """True if some tool sends requests, so that the API's base URL is required."""
        return self._registry.needs_upstream

    @contextmanager
    def supervised(self) -> Iterator[None]:
        """Runs the rules' supervision while worker processes answer requests."""
        with ExitStack() as stack:
            for rule in self._rules:
                stack.enter_context(rule.supervised())
            yield

    def address(self, path: str = "/mcp") -> str:
        """The public path of an internal path, with parameters in braces."""
        for rule in reversed(self._rules):
            path = rule.address(path)
        return path

    def _gate(self, app: Asgi) -> Asgi:
        for rule in reversed(self._rules):
            app = rule.gate(app)
        return app

    @asynccontextmanager
    async def lifespan(self, host: object) -> AsyncIterator[None]:
        """The lifespan of an application that mounts the server: `Starlette(lifespan=app.lifespan)`."""
        async with self.running():
            yield

    def mount_on(self, host: Starlette) -> None:
        """Serves the endpoint in a Starlette or FastAPI application, at the path of the endpoint and
        from the start of the application to its end."""
        path = self.address()
        for template in (path, f"{path}/{{below:path}}", f"{_METADATA}{{below:path}}"):
            host.router.routes.append(Route(template, self, include_in_schema=False))
        host_lifespan = host.router.lifespan_context

        @asynccontextmanager
        async def lifespan(app: Any) -> AsyncIterator[Any]:
            async with host_lifespan(app) as state, self.running():
                yield state

        host.router.lifespan_context = lifespan

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """ASGI entry point: a request or the lifespan."""
        if scope["type"] == "http" and scope.get("root_path"):
            scope = self._below_root(scope)
        if scope["type"] == "lifespan":
            await self._run_lifespan(receive, send)
        elif scope["type"] == "http" and self._active_app:
            if scope["path"] in PATHS:
                await answer_probe(scope["path"], self._readiness_rules, self.draining, send)
                return
            await self._active_app(scope, receive, send)
        elif scope["type"] == "http":
            await respond(send, 503, rpc_error(_NOT_RUNNING))

    def _below_root(self, scope: Scope) -> Scope:
        """The scope with the path of a server that is not mounted: `/tools/` in an application with
        `mount("/tools", app)` is the endpoint."""
        root, path = scope["root_path"].rstrip("/"), scope["path"]
        if path != root and not path.startswith(f"{root}/"):
            return scope
        below, endpoint = path.removeprefix(root), self.address()
        if below not in PATHS and not below.startswith((endpoint, "/.well-known/")):
            below = f"{endpoint}{below.rstrip('/')}"
        return {**scope, "path": below, "raw_path": quote(below).encode(), "root_path": ""}

    async def _run_lifespan(self, receive: Receive, send: Send) -> None:
        await receive()
        async with self.running():
            await send({"type": "lifespan.startup.complete"})
            await receive()
        await send({"type": "lifespan.shutdown.complete"})


def _refuse_unknown_hooks(hooks: Hooks, tools: Mapping[str, Tool]) -> None:
    """Raises `ValueError` for a hook of a tool that does not exist and would never run."""
    for name in hooks.tools:
        if name not in tools:
            matches = get_close_matches(name, tools, 1)
            hint = f"; did you mean `{matches[0]}`?" if matches else ""
            raise ValueError(f"hooks.py overrides `{name}`, which is not a tool{hint}")


create_app = App  # The function that generated code calls
