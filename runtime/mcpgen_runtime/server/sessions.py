"""Sessions for clients of revisions before 2026-07-28, with resumable event streams.

A session lives in one process. Only a client that begins with `initialize` and accepts events gets a session;
every other request is served without a session.
https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#session-management
https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#resumability-and-redelivery
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated, Any

from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken
from mcp.server.lowlevel import Server
from mcp.server.streamable_http import GET_STREAM_KEY, EventCallback, EventMessage, EventStore
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp_types import JSONRPCMessage
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS
from pydantic import Field
from starlette.datastructures import Headers

from ..caller import ANYBODY, Caller, caller_of
from ..elicitation.client_channel import STREAM_BEGUN
from ..settings import ServerSettings
from .asgi import (
    Asgi,
    Message,
    Receive,
    Scope,
    Send,
    body_of,
    replaying,
    respond,
    rpc_error,
)

MAX_EVENTS = 1000
"""Maximum number of events stored per session. A resumed stream searches all stored events, so the
number bounds the time of a resumption."""

MAX_EVENT_BYTES = 4 * 1024 * 1024
"""Maximum bytes of events stored per session; the oldest are dropped. A result may hold 1 MiB of an API
response (`result_bytes`), so the latest results of several calls fit."""


@dataclass(frozen=True)
class _Event:
    """One event of a stream; without a message, a position in the stream."""

    stream: str
    message: JSONRPCMessage | None
    bytes: int


class SessionEventStore(EventStore):
    """The latest events of a session by id, in sending order."""

    def __init__(self) -> None:
        self._events: dict[str, _Event] = {}
        self._number = 0
        self._bytes = 0

    async def store_event(self, stream_id: str, message: JSONRPCMessage | None) -> str:
        """Stores an event; returns the id."""
        size = len(message.model_dump_json()) if message else 0
        self._number += 1
        self._events[str(self._number)] = _Event(stream_id, message, size)
        self._bytes += size
        while len(self._events) > MAX_EVENTS or self._bytes > MAX_EVENT_BYTES:
            self._bytes -= self._events.pop(next(iter(self._events))).bytes
        return str(self._number)

    async def replay_events_after(
        self, last_event_id: str, send_callback: EventCallback
    ) -> str | None:
        """Sends the events of the same stream again that follow an event; returns the stream, or
        None for an unknown event."""
        if last_event_id not in self._events:
            return None
        stream = self._events[last_event_id].stream
        for id, event in [*self._events.items()]:
            if int(id) > int(last_event_id) and event.stream == stream and event.message:
                await send_callback(EventMessage(event.message, id))
        return stream


_FULL = 503  # The SDK's status for a session above `max_sessions`

RETRY_MILLISECONDS = 500
"""Reconnection delay for clients, in milliseconds."""


ENDING_SECONDS = 0.5
"""Maximum seconds to wait for the end of a request with the same id."""


class SessionSettings(ServerSettings):
    """Settings of sessions."""

    sessions: bool = True
    """Keeps sessions for clients of older revisions, so that calls can ask questions."""
    session_idle_seconds: Annotated[float, Field(gt=0, le=86_400)] = 1800
    """Seconds without a request after which a session ends; the default is the SDK's. A client that
    polls a stream pauses for `RETRY_MILLISECONDS`, so the time must be far above."""
    sessions_at_once: Annotated[int, Field(gt=0)] = 1000
    """Maximum number of sessions; further clients are served without a session."""
    sessions_per_caller: Annotated[int, Field(gt=0)] = 100
    """Maximum number of sessions per authenticated caller, over all endpoints."""


class Sessions:
    """The sessions of a server; `remembering` makes the event store of a session, without which
    closed streams cannot be resumed. Raises `ValueError` for several processes: a message could
    reach a process without the session."""

    def __init__(
        self, settings: SessionSettings, remembering: Callable[[], EventStore] | None = None
    ) -> None:
        if settings.sessions and settings.workers > 1:
            raise ValueError(
                f"sessions live in one process: set {settings.variable('workers')}=1, or"
                f" {settings.variable('sessions')}=false, which leaves questions to clients of revision"
                " 2026-07-28"
            )
        self.enabled = settings.sessions
        self._make_event_store = remembering
        self._idle_seconds = settings.session_idle_seconds
        self._request_bytes = settings.request_bytes
        self._limit = settings.sessions_at_once
        self._share = settings.sessions_per_caller
        self._managers: list[StreamableHTTPSessionManager] = []
        self._shutdown = asyncio.Event()

    def manager(self, server: Server[Any]) -> StreamableHTTPSessionManager:
        """The session manager for an SDK server."""
        resumable = self._make_event_store is not None
        manager = (_ResumableManager if resumable else StreamableHTTPSessionManager)(
            server,
            session_idle_timeout=self._idle_seconds,
            max_sessions=self._limit,
            max_request_body_size=self._request_bytes,
        )
        if isinstance(manager, _ResumableManager):
            manager.make_event_store = self._make_event_store
            manager.retry_interval = RETRY_MILLISECONDS
        self._managers.append(manager)
        return manager

    def route(self, app: Asgi, session_app: Asgi) -> Asgi:
        """Routes requests of a session to `session_app`, all other requests to the application."""
        return _SessionRouter(session_app, app, self._shutdown, self._has_share)

    def _has_share(self, caller: Caller) -> bool:
        """True if a caller may start another session. Anonymous callers cannot be distinguished and
        share all sessions."""
        if caller.subject == ANYBODY.subject:
            return True
        # The SDK has no public access to sessions or their end.
        owners = (owner for manager in self._managers for owner in manager._session_owners.values())
        return sum(owner["subject"] == caller.subject for owner in owners) < self._share

    def end_streams(self) -> None:
        """Ends the streams of listening clients."""
        self._shutdown.set()


class _ResumableManager(StreamableHTTPSessionManager):
    """A manager with an event store per session.

    The SDK's manager takes one store for all sessions, and hands `event_store` to the transport of
    every session that starts. Transports name a stream by the id of the request, and request ids
    repeat in every session: with a shared store, a client could resume another session's stream.
    A property in place of the attribute gives every transport a store of its own.
    """

    make_event_store: Callable[[], EventStore] | None = None

    @property
    def event_store(self) -> EventStore | None:
        """A new event store for the session that starts."""
        return self.make_event_store() if self.make_event_store else None

    @event_store.setter
    def event_store(self, store: EventStore | None) -> None:
        """Ignored: a store shared by all sessions would mix streams."""


class _SessionRouter:
    """Routes between an application with sessions and an application without. `shutdown` is set
    before the process ends."""

    def __init__(
        self,
        session_app: Asgi,
        app: Asgi,
        shutdown: asyncio.Event,
        has_share: Callable[[Caller], bool],
    ) -> None:
        self._session_app, self._app = session_app, app
        self._shutdown, self._has_share = shutdown, has_share
        self._running: dict[tuple[str, str | None, str], asyncio.Event] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Routes one request."""
        revision = (
            Headers(scope=scope).get("mcp-protocol-version") or HANDSHAKE_PROTOCOL_VERSIONS[0]
        )
        has_session = "mcp-session-id" in Headers(scope=scope)
        if revision not in HANDSHAKE_PROTOCOL_VERSIONS:
            await self._app(scope, receive, send)
        elif has_session and scope["method"] == "GET":
            await self._listen(scope, receive, send)
        elif has_session:
            await self._answer_in_session(scope, receive, send)
        elif scope["method"] != "POST":
            await respond(send, 405, headers=((b"allow", b"POST"),))
        elif _is_initialize(scope) and self._has_share(caller_of(scope)):
            await self._start_session(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _listen(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers with a stream that ends at shutdown."""
        is_open = False

        async def receive_until_shutdown() -> Message:
            received = asyncio.ensure_future(receive())
            shutdown = asyncio.ensure_future(self._shutdown.wait())
            try:
                await asyncio.wait((received, shutdown), return_when=asyncio.FIRST_COMPLETED)
                return received.result() if received.done() else {"type": "http.disconnect"}
            finally:
                received.cancel()
                shutdown.cancel()

        async def forward(message: Message) -> None:
            nonlocal is_open
            is_open = message["type"] == "http.response.start" or message.get("more_body", False)
            await send(message)

        await self._session_app(_with_owner(scope), receive_until_shutdown, forward)
        if is_open and self._shutdown.is_set():
            await send({"type": "http.response.body", "body": b""})

    async def _answer_in_session(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a request of a session. Refuses an id in use: the SDK would mix up the responses
        of both requests."""
        content = body_of(scope).content
        if not isinstance(content, dict) or "method" not in content or "id" not in content:
            await self._session_app(_with_owner(scope), receive, send)
            return
        id = str(content["id"])
        key = caller_of(scope).mark, Headers(scope=scope).get("mcp-session-id"), id
        if earlier := self._running.get(key):
            # A client that reuses an id may have read the earlier response a moment ago.
            with suppress(TimeoutError):
                await asyncio.wait_for(earlier.wait(), ENDING_SECONDS)
        if key in self._running or id == GET_STREAM_KEY:
            problem = rpc_error("This id is that of another request under way", id=content["id"])
            await respond(send, 400, problem)
            return
        end_event = self._running[key] = asyncio.Event()
        # SDK 2.3 drops the event that a client needs to resume a stream, if the stream is closed
        # before the event is sent.
        stream_begun = asyncio.Event()

        async def forward(message: Message) -> None:
            await send(message)
            if message.get("body"):
                stream_begun.set()

        try:
            owned = {**_with_owner(scope), STREAM_BEGUN: stream_begun}
            await self._session_app(owned, receive, forward)
        finally:
            del self._running[key]
            end_event.set()
            stream_begun.set()

    async def _start_session(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Starts a session; without room, serves the client without a session."""
        is_full = False

        async def forward(message: Message) -> None:
            nonlocal is_full
            is_full = is_full or message.get("status") == _FULL
            if not is_full:
                await send(message)

        raw = body_of(scope).raw
        await self._session_app(_with_owner(scope), replaying(raw, receive), forward)
        if is_full:
            await self._app(scope, replaying(raw, receive), send)


def _with_owner(scope: Scope) -> Scope:
    """The scope with the session's owner in the SDK's form: the SDK answers 404 to other
    callers."""
    caller = caller_of(scope)
    token = AccessToken(token="", client_id=caller.mark, scopes=[], subject=caller.subject)
    return {**scope, "user": AuthenticatedUser(token)}


def _is_initialize(scope: Scope) -> bool:
    content = body_of(scope).content
    return isinstance(content, dict) and content.get("method") == "initialize"
