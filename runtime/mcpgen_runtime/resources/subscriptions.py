"""Notifies clients of resources changed by calls of this server.

Since revision 2026-07-28 on a stream opened with `subscriptions/listen`; before, in a session after
`resources/subscribe`.
https://modelcontextprotocol.io/specification/2025-11-25/server/resources#subscriptions
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Protocol

from anyio import BrokenResourceError, ClosedResourceError
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ResourceUpdated
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INTERNAL_ERROR,
    SubscribeRequestParams,
    SubscriptionFilter,
    SubscriptionsListenRequestParams,
    UnsubscribeRequestParams,
)

from ..result import Result
from ..server.client_channel import Context, caller_in
from ..server.feature import Feature, FeatureMethod, ServerContext, session_of
from ..server.invocation import Finish, Invocation
from ..server.middleware import Middleware
from .completion_values import scalar_text
from .resources import Resources, no_such_resource

MOST = 10_000
"""Maximum number of subscribed sessions."""

MOST_OF_ONE = 1_000
"""Maximum number of resources per session or stream."""


@dataclass(frozen=True)
class ChangedResources:
    """The resources that a tool changes: `uri` is a URI or template; `values` maps variables to
    arguments of the call. Variables without an argument match any value."""

    uri: str
    values: Mapping[str, str] = field(default_factory=dict)


@dataclass
class _Session:
    """A subscribed session. One task sends the URIs in `due`, so that a slow client delays nobody.
    A URI is due once, however often the resource changed."""

    context: Context
    uris: set[str] = field(default_factory=set)
    due: dict[str, None] = field(default_factory=dict)
    sending: asyncio.Task[None] | None = None


class ChangeRelay(Protocol):
    """Sends texts to the other processes of a server."""

    async def publish(self, text: str) -> None:
        """Sends a text to all other processes."""

    async def listen(
        self, hear: Callable[[str], Awaitable[None]], missed: Callable[[], Awaitable[None]]
    ) -> None:
        """Passes texts of other processes to `hear`; calls `missed` after an outage."""

    async def close(self) -> None:
        """Closes connections."""


class ResourceSubscriptions(Feature):
    """Subscriptions by session and stream. `writers` maps tools to changed resources. `alone` is
    true if no other process answers calls; otherwise changes need a `relay`."""

    def __init__(
        self,
        resources: Resources,
        writers: Mapping[str, Sequence[ChangedResources]],
        *,
        alone: bool = True,
        relay: ChangeRelay | None = None,
    ) -> None:
        self.writers = writers
        self._resources = resources
        self._bus = InMemorySubscriptionBus()
        self._listening = ListenHandler(self._bus)
        self._open: dict[str, int] = {}
        self._sessions: dict[str, _Session] = {}
        self._relay = relay
        self._hears_all = alone or relay is not None
        if self._hears_all:
            self.rules = (ChangeNotifier(self),)

    def methods(self, server: ServerContext) -> Mapping[str, FeatureMethod]:
        """The subscription methods; empty if changes in other processes would be missed."""
        if not self._hears_all:
            return {}
        return {
            "subscriptions/listen": FeatureMethod(
                SubscriptionsListenRequestParams, partial(self._listen, server)
            ),
            "resources/subscribe": FeatureMethod(
                SubscribeRequestParams, partial(self._subscribe, server), needs_session=True
            ),
            "resources/unsubscribe": FeatureMethod(
                UnsubscribeRequestParams, self._unsubscribe, needs_session=True
            ),
        }

    @asynccontextmanager
    async def running(self, server: ServerContext) -> AsyncIterator[None]:
        """Listens for changes of other processes."""
        if self._relay is None:
            yield
            return
        listening = asyncio.create_task(self._relay.listen(self._heard, self._missed))
        try:
            yield
        finally:
            listening.cancel()
            await asyncio.wait([listening])
            await self._relay.close()

    async def _heard(self, text: str) -> None:
        """Handles a change from another process. A text in an unknown format, for example of
        another server version, counts as a change of all resources."""
        try:
            template, known = json.loads(text)
            await self._tell(template, dict(known))
        except (ValueError, TypeError):
            await self._missed()

    async def _missed(self) -> None:
        """Notifies all subscribers: every resource may have changed."""
        uris = {*self._open}.union(*(session.uris for session in self._sessions.values()))
        templates = {found[0].uri for uri in uris if (found := self._resources.found(uri))}
        for template in sorted(templates):
            await self._tell(template, {})

    def end_streams(self) -> None:
        """Ends every stream, so that open streams do not delay shutdown."""
        self._listening.close()
        for each in self._sessions.values():
            if each.sending:
                each.sending.cancel()

    async def changed(
        self, touched: ChangedResources, arguments: Mapping[str, Any] | None = None
    ) -> None:
        """Notifies subscribers of changed resources, after a call with these arguments."""
        known = {
            variable: scalar_text(arguments[name])
            for variable, name in touched.values.items()
            if arguments and arguments.get(name) is not None
        }
        await self._tell(touched.uri, known)
        if self._relay:
            await self._relay.publish(json.dumps([touched.uri, known]))

    async def _tell(self, template: str, known: Mapping[str, str]) -> None:
        """Notifies the clients of this process."""
        for uri in [*self._open]:
            if self._is_meant(uri, template, known):
                await self._bus.publish(ResourceUpdated(uri))
        for name, session in self._sessions.items():
            meant = [uri for uri in session.uris if self._is_meant(uri, template, known)]
            session.due.update(dict.fromkeys(meant))
            if session.due and session.sending is None:
                session.sending = asyncio.create_task(self._send(name, session))

    async def _send(self, name: str, session: _Session) -> None:
        """Sends the due notifications; forgets a closed session."""
        try:
            while session.due:
                uri = next(iter(session.due))
                del session.due[uri]
                await session.context.session.send_resource_updated(uri)
        except (BrokenResourceError, ClosedResourceError):
            self._forget(name)
        finally:
            session.sending = None

    def _forget(self, name: str) -> None:
        session = self._sessions.pop(name, None)
        if session and session.sending and session.sending is not asyncio.current_task():
            session.sending.cancel()

    async def notify(self, uri: str) -> None:
        """Notifies of a change by URI; unknown URIs are ignored."""
        if match := self._resources.found(uri):
            resource, values = match
            names = {name: name for name in values}
            await self.changed(ChangedResources(resource.uri, names), values)

    def _is_meant(self, uri: str, template: str, known: Mapping[str, str]) -> bool:
        match = self._resources.found(uri)
        return match is not None and match[0].uri == template and known.items() <= match[1].items()

    async def _listen(
        self, server: ServerContext, context: Context, params: SubscriptionsListenRequestParams
    ) -> dict[str, Any]:
        wanted = (params.notifications.resource_subscriptions or [])[:MOST_OF_ONE]
        taken = [uri for uri in wanted if self._may_know(server, context, uri)]
        asked = SubscriptionFilter(resource_subscriptions=taken)
        with self._watched(taken):
            result = await self._listening(
                context, params.model_copy(update={"notifications": asked})
            )
        return result.model_dump(by_alias=True, exclude_none=True)

    @contextmanager
    def _watched(self, uris: Sequence[str]) -> Iterator[None]:
        """Counts a stream as a listener of the URIs."""
        for uri in uris:
            self._open[uri] = self._open.get(uri, 0) + 1
        try:
            yield
        finally:
            for uri in uris:
                self._open[uri] -= 1
                if not self._open[uri]:
                    del self._open[uri]

    async def _subscribe(
        self, server: ServerContext, context: Context, params: SubscribeRequestParams
    ) -> dict[str, Any]:
        uri = str(params.uri)
        if not self._may_know(server, context, uri):
            raise no_such_resource(context, uri)
        name = session_of(context)
        session = self._sessions.pop(name, None) or _Session(context)
        while len(self._sessions) >= MOST:
            # The SDK does not report the end of a session, so the oldest session is dropped.
            self._forget(next(iter(self._sessions)))
        self._sessions[name] = session
        if len(session.uris) >= MOST_OF_ONE and uri not in session.uris:
            told = f"A session subscribes to at most {MOST_OF_ONE} resources"
            raise MCPError(INTERNAL_ERROR, told)
        session.uris.add(uri)
        return {}

    async def _unsubscribe(
        self, context: Context, params: UnsubscribeRequestParams
    ) -> dict[str, Any]:
        known = self._sessions.get(session_of(context))
        if known:
            known.uris.discard(str(params.uri))
            known.due.pop(str(params.uri), None)
        return {}

    def _may_know(self, server: ServerContext, context: Context, uri: str) -> bool:
        """True if the caller may read the resource and therefore be notified."""
        match = self._resources.found(uri)
        if match is None:
            return False
        tool = match[0].tool
        return not tool or server.allows(caller_in(context), tool)


class ChangeNotifier(Middleware):
    """Detects finished calls that change resources."""

    def __init__(self, changes: ResourceSubscriptions) -> None:
        self._changes = changes

    async def call(self, invocation: Invocation, finish: Finish) -> Result:
        """Runs the call; starts the notifications before the result is returned."""
        result = await finish()
        if not result.failed:
            for touched in self._changes.writers.get(invocation.tool.name, ()):
                await self._changes.changed(touched, invocation.arguments)
        for uri in invocation.changed:
            await self._changes.notify(uri)
        return result
