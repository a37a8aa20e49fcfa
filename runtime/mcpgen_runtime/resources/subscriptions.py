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
from .resources import Resources, resource_not_found

MAX_SESSIONS = 10_000
"""Maximum number of subscribed sessions."""

MAX_URIS_PER_SESSION = 1_000
"""Maximum number of resources per session or stream."""


@dataclass(frozen=True)
class ChangedResources:
    """The resources that a tool changes: `uri` is a URI or template; `values` maps variables to
    arguments of the call. Variables without an argument match any value."""

    uri: str
    values: Mapping[str, str] = field(default_factory=dict)


@dataclass
class _Session:
    """A subscribed session. One task sends the URIs in `pending`, so that a slow client delays
    nobody. A URI is pending once, however often the resource changed."""

    context: Context
    uris: set[str] = field(default_factory=set)
    pending: dict[str, None] = field(default_factory=dict)
    sending: asyncio.Task[None] | None = None


class ChangeRelay(Protocol):
    """Sends texts to the other processes of a server."""

    async def publish(self, text: str) -> None:
        """Sends a text to all other processes."""

    async def listen(
        self, on_text: Callable[[str], Awaitable[None]], on_outage: Callable[[], Awaitable[None]]
    ) -> None:
        """Passes texts of other processes to `on_text`; calls `on_outage` after an outage."""

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
        self._stream_counts: dict[str, int] = {}
        self._sessions: dict[str, _Session] = {}
        self._relay = relay
        self._sees_all_changes = alone or relay is not None
        if self._sees_all_changes:
            self.rules = (ChangeNotifier(self),)

    def methods(self, server: ServerContext) -> Mapping[str, FeatureMethod]:
        """The subscription methods; empty if changes in other processes would be missed."""
        if not self._sees_all_changes:
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
        listening = asyncio.create_task(self._relay.listen(self._handle_text, self._notify_all))
        try:
            yield
        finally:
            listening.cancel()
            await asyncio.wait([listening])
            await self._relay.close()

    async def _handle_text(self, text: str) -> None:
        """Handles a change from another process. A text in an unknown format, for example of
        another server version, counts as a change of all resources."""
        try:
            template, values = json.loads(text)
            await self._notify_clients(template, dict(values))
        except (ValueError, TypeError):
            await self._notify_all()

    async def _notify_all(self) -> None:
        """Notifies all subscribers: every resource may have changed."""
        uris = {*self._stream_counts}.union(*(session.uris for session in self._sessions.values()))
        templates = {match[0].uri for uri in uris if (match := self._resources.find(uri))}
        for template in sorted(templates):
            await self._notify_clients(template, {})

    def end_streams(self) -> None:
        """Ends every stream, so that open streams do not delay shutdown."""
        self._listening.close()
        for session in self._sessions.values():
            if session.sending:
                session.sending.cancel()

    async def changed(
        self, change: ChangedResources, arguments: Mapping[str, Any] | None = None
    ) -> None:
        """Notifies subscribers of changed resources, after a call with these arguments."""
        values = {
            variable: scalar_text(arguments[name])
            for variable, name in change.values.items()
            if arguments and arguments.get(name) is not None
        }
        await self._notify_clients(change.uri, values)
        if self._relay:
            await self._relay.publish(json.dumps([change.uri, values]))

    async def _notify_clients(self, template: str, values: Mapping[str, str]) -> None:
        """Notifies the clients of this process."""
        for uri in [*self._stream_counts]:
            if self._is_affected(uri, template, values):
                await self._bus.publish(ResourceUpdated(uri))
        for name, session in self._sessions.items():
            uris = [uri for uri in session.uris if self._is_affected(uri, template, values)]
            session.pending.update(dict.fromkeys(uris))
            if session.pending and session.sending is None:
                session.sending = asyncio.create_task(self._send(name, session))

    async def _send(self, name: str, session: _Session) -> None:
        """Sends the pending notifications; forgets a closed session."""
        try:
            while session.pending:
                uri = next(iter(session.pending))
                del session.pending[uri]
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
        if match := self._resources.find(uri):
            resource, values = match
            names = {name: name for name in values}
            await self.changed(ChangedResources(resource.uri, names), values)

    def _is_affected(self, uri: str, template: str, values: Mapping[str, str]) -> bool:
        match = self._resources.find(uri)
        return match is not None and match[0].uri == template and values.items() <= match[1].items()

    async def _listen(
        self, server: ServerContext, context: Context, params: SubscriptionsListenRequestParams
    ) -> dict[str, Any]:
        requested = (params.notifications.resource_subscriptions or [])[:MAX_URIS_PER_SESSION]
        uris = [uri for uri in requested if self._may_read(server, context, uri)]
        allowed = SubscriptionFilter(resource_subscriptions=uris)
        with self._count_stream(uris):
            result = await self._listening(
                context, params.model_copy(update={"notifications": allowed})
            )
        return result.model_dump(by_alias=True, exclude_none=True)

    @contextmanager
    def _count_stream(self, uris: Sequence[str]) -> Iterator[None]:
        """Counts a stream as a listener of the URIs."""
        for uri in uris:
            self._stream_counts[uri] = self._stream_counts.get(uri, 0) + 1
        try:
            yield
        finally:
            for uri in uris:
                self._stream_counts[uri] -= 1
                if not self._stream_counts[uri]:
                    del self._stream_counts[uri]

    async def _subscribe(
        self, server: ServerContext, context: Context, params: SubscribeRequestParams
    ) -> dict[str, Any]:
        uri = str(params.uri)
        if not self._may_read(server, context, uri):
            raise resource_not_found(context, uri)
        name = session_of(context)
        session = self._sessions.pop(name, None) or _Session(context)
        while len(self._sessions) >= MAX_SESSIONS:
            # The SDK does not report the end of a session, so the oldest session is dropped.
            self._forget(next(iter(self._sessions)))
        self._sessions[name] = session
        if len(session.uris) >= MAX_URIS_PER_SESSION and uri not in session.uris:
            message = f"A session subscribes to at most {MAX_URIS_PER_SESSION} resources"
            raise MCPError(INTERNAL_ERROR, message)
        session.uris.add(uri)
        return {}

    async def _unsubscribe(
        self, context: Context, params: UnsubscribeRequestParams
    ) -> dict[str, Any]:
        session = self._sessions.get(session_of(context))
        if session:
            session.uris.discard(str(params.uri))
            session.pending.pop(str(params.uri), None)
        return {}

    def _may_read(self, server: ServerContext, context: Context, uri: str) -> bool:
        """True if the caller may read the resource and therefore be notified."""
        match = self._resources.find(uri)
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
            for change in self._changes.writers.get(invocation.tool.name, ()):
                await self._changes.changed(change, invocation.arguments)
        for uri in invocation.changed:
            await self._changes.notify(uri)
        return result
