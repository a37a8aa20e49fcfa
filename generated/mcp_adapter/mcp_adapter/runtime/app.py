"""The MCP server as an ASGI application, for every revision of the protocol at once."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, contextmanager
from difflib import get_close_matches
from functools import partial

from .calls import Calls
from .catalogue import Catalogue
from .client import Limits
from .edge import Edge, closed
from .fast_path import FastPath, Lists, is_traced
from .guard import Guard
from .hooks import Handler, Hooks
from .http import Asgi, Receive, Scope, Send
from .identity import Identity
from .large_answers import LargeAnswers
from .offer import Offer
from .policy import Rule, having
from .probes import PATHS, answer_probe
from .protocol import Keeper, Protocol, without_sessions
from .rounds import Rounds
from .screen import Screened
from .security import SecurityScheme, Vault
from .settings import ServerSettings
from .surface import Surface
from .tool import Tool
from .upstream import Upstream
from .used_states import StatesInMemory


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
        offers: Sequence[Offer] = (),
        sessions: Keeper | None = None,
    ) -> None:
        self.identity = identity
        self.settings = settings
        self.draining = False
        rules = (*rules, *(rule for offer in offers for rule in offer.rules))
        self._rules = rules
        self._offers = offers
        self._sessions = sessions if sessions and sessions.kept else None
        self._deciding = having(rules, "ready")
        _refuse_strangers(hooks, {tool.name: tool for tool in tools})
        self._lifespan = hooks.lifespan
        self._upstream = Upstream(settings, f"{identity.name}/{identity.version}", hooks.client)

        def calls(own: Mapping[str, Handler]) -> Calls:
            vault = Vault(schemes, settings)
            return Calls(self._upstream, vault, hooks.answering(own), rules, settings.calls_at_once)

        self._catalogue = Catalogue(tools, surface, offers, rules, calls)
        names = {*self._catalogue.tools, *(tool.name for tool in tools)}
        for rule in having(rules, "refuse_unknown"):
            rule.refuse_unknown(names)
        self._limits = Limits(
            settings.answer_seconds,
            settings.questions_at_once,
            hears=lambda context, level: all(each.hears(context, level) for each in offers),
        )
        used = next((rule.states for rule in rules if rule.states), StatesInMemory())
        key = settings.state_key.get_secret_value()
        rounds = Rounds(identity.name, key, self._limits.seconds, used)
        self._protocol = Protocol(identity, self._catalogue, offers, self._limits, rounds)
        self._entrance: Asgi | None = None

    @asynccontextmanager
    async def running(self) -> AsyncIterator[App]:
        """The time in which requests are answered."""
        async with AsyncExitStack() as stack:
            await stack.enter_async_context(self._upstream)
            if self._lifespan:
                opened = self._lifespan(self.settings)
                self._catalogue.calls.state = await stack.enter_async_context(opened)
            with_json = partial(without_sessions, json_response=True)
            json_app = await self._protocol.answering(stack, with_json)
            with_events = await self._protocol.answering(stack, without_sessions)
            event_app: Asgi = LargeAnswers(with_events)
            for rule in self._rules:
                await stack.enter_async_context(rule.running())
            for offer in self._offers:
                await stack.enter_async_context(offer.running(self._catalogue.inside))
            if self.settings.fast_path and not is_traced():
                lists = Lists(self._catalogue.tools.values())
                json_app = self._hastened(json_app, lists, events=False)
                event_app = self._hastened(event_app, lists, events=True)
            if self._sessions:
                manager = self._sessions.manager
                keeping = await self._protocol.answering(stack, manager, has_sessions=True)
                event_app = self._sessions.before(event_app, LargeAnswers(keeping))
            edge = Edge(
                self._screened(json_app),
                self._screened(event_app),
                Guard(self.settings),
                self.settings.request_bytes,
                has_sessions=self._sessions is not None,
            )
            self._entrance = self._gated(edge) if self.settings.enabled else closed
            yield self
            self._entrance = None
            self.leave()

    def leave(self) -> None:
        """Ends the answers that would go on for as long as the server does, and those to questions that
        nobody has answered yet."""
        self._limits.over.set()
        if self._sessions:
            self._sessions.leave()
        for offer in self._offers:
            offer.leave()

    @property
    def needs_upstream(self) -> bool:
        """Whether some tool sends requests by itself, and so cannot do without an address of the API."""
        return self._catalogue.needs_upstream

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
        known = self._catalogue
        return Screened(app, known.screening, known.told) if known.screening else app

    def _hastened(self, app: Asgi, lists: Lists, *, events: bool) -> Asgi:
        """The SDK's application behind the fast path."""
        known = self._catalogue
        return FastPath(
            app, lists, known.tools, known.page, known.result, self._limits, events=events
        )

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
    offers: Sequence[Offer] = (),
    sessions: Keeper | None = None,
) -> App:
    """The ASGI application that serves these tools at `/mcp`, and probes; `rules` are its policy, the
    outermost first, `surface` is what clients see of the tools, `offers` what there is beside them, and
    `sessions` those it keeps.
    """
    return App(identity, tools, schemes, settings, hooks, rules, surface, offers, sessions)
