# Copied by mcpgen from mcpgen-runtime; changes belong in hooks.py or mcpgen.toml.
"""Sessions for clients of revisions before 2026-07-28, with resumable event streams.

A session lives in one process. A client gets a session by an `initialize` that accepts event streams; a request
without the id of a session is served without a session.
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
from pydantic_core import to_json
from starlette.datastructures import Headers

from ..caller import ANYBODY, Caller, caller_of
from ..elicitation.asking_channel import STREAM_STARTED_KEY
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
"""Maximum bytes of the stored events of a session, as JSON; the oldest events are dropped first. A
result with 1 MiB of an API response, the default of `result_bytes`, takes more than 2 MiB if the tool
has an output schema: the result has the response as text and as structured content."""

RETRY_MILLISECONDS = 500
"""Milliseconds that a client waits before the client resumes a closed stream. Clients that wait for a
call ask twice a second."""

DUPLICATE_ID_SECONDS = 0.5
"""Maximum seconds that a request waits for an earlier request with the same id. The client may have
read the earlier response already, while the server has not finished the request."""

_TOO_MANY_SESSIONS = 503  # The status with which the SDK refuses a session above `max_sessions`


@dataclass(frozen=True)
class _Event:
    """One event of a stream, with the size of the message in bytes. An event without a message only
    marks a position in the stream."""

    stream: str
    message: JSONRPCMessage | None
    size: int


class SessionEventStore(EventStore):
    """The latest events of a session by id, oldest first. The ids are increasing numbers."""

    def __init__(self) -> None:
        self._events: dict[str, _Event] = {}
        self._last_id = 0
        self._total_size = 0

    async def store_event(self, stream_id: str, message: JSONRPCMessage | None) -> str:
        """Stores an event, and drops the oldest events above the limits. Returns the id of the
        event."""
        size = len(to_json(message)) if message else 0
        self._last_id += 1
        self._events[str(self._last_id)] = _Event(stream_id, message, size)
        self._total_size += size
        while len(self._events) > MAX_EVENTS or self._total_size > MAX_EVENT_BYTES:
            self._total_size -= self._events.pop(next(iter(self._events))).size
        return str(self._last_id)

    async def replay_events_after(
        self, last_event_id: str, send_callback: EventCallback
    ) -> str | None:
        """Sends the messages that follow the event `last_event_id` on the same stream. Returns the
        id of the stream, None if the event is not stored."""
        if last_event_id not in self._events:
            return None
        stream = self._events[last_event_id].stream
        # A copy: events may be stored and dropped while a message is sent.
        for id, event in [*self._events.items()]:
            if int(id) > int(last_event_id) and event.stream == stream and event.message:
                await send_callback(EventMessage(event.message, id))
        return stream


class SessionSettings(ServerSettings):
    """Settings of sessions."""

    sessions: bool = True
    """Keeps sessions for clients of revisions before 2026-07-28: a call can ask such a client only in a
    session."""
    session_idle_seconds: Annotated[float, Field(gt=0, le=86_400)] = 1800
    """Seconds without a request and without an open stream after which a session ends; the default is
    the SDK's. Must be far above `RETRY_MILLISECONDS`, for which a client that polls a stream pauses."""
    sessions_at_once: Annotated[int, Field(gt=0)] = 1000
    """Maximum number of sessions per endpoint (each toolset has an endpoint); further clients are served
    without a session."""
    sessions_per_caller: Annotated[int, Field(gt=0)] = 100
    """Maximum number of sessions per authenticated caller, at all endpoints together."""


class Sessions:
    """The sessions of a server, at all endpoints.

    `make_event_store` creates the event store of one session; without an event store, clients cannot
    resume a closed stream. Raises `ValueError` for several processes: a message could reach a process
    that does not have the session.
    """

    def __init__(
        self, settings: SessionSettings, make_event_store: Callable[[], EventStore] | None = None
    ) -> None:
        if settings.sessions and settings.workers > 1:
            raise ValueError(
                f"sessions live in one process: set {settings.variable('workers')}=1, or"
                f" {settings.variable('sessions')}=false, which leaves questions to clients of revision"
                " 2026-07-28"
            )
        self.is_enabled = settings.sessions
        self._make_event_store = make_event_store
        self._idle_seconds = settings.session_idle_seconds
        self._request_bytes = settings.request_bytes
        self._max_sessions = settings.sessions_at_once
        self._max_sessions_per_caller = settings.sessions_per_caller
        self._managers: list[StreamableHTTPSessionManager] = []
        self._shutdown = asyncio.Event()

    def create_manager(self, server: Server[Any]) -> StreamableHTTPSessionManager:
        """Creates the session manager of one endpoint, whose requests the SDK's `server` answers."""
        is_resumable = self._make_event_store is not None
        manager = (_ResumableManager if is_resumable else StreamableHTTPSessionManager)(
            server,
            session_idle_timeout=self._idle_seconds,
            max_sessions=self._max_sessions,
            max_request_body_size=self._request_bytes,
        )
        if isinstance(manager, _ResumableManager):
            manager.make_event_store = self._make_event_store
            manager.retry_interval = RETRY_MILLISECONDS
        self._managers.append(manager)
        return manager

    def route(self, app: Asgi, session_app: Asgi) -> Asgi:
        """An application that passes the requests that start or use a session to `session_app`, and
        all other requests to `app`."""
        return _SessionRouter(app, session_app, self._shutdown, self._may_start_session)

    def _may_start_session(self, caller: Caller) -> bool:
        """True if the caller has fewer sessions than a caller may have. Anonymous callers cannot be
        told apart, so only `sessions_at_once` limits the sessions of anonymous callers."""
        if caller.subject == ANYBODY.subject:
            return True
        # The private attribute is the only list of the open sessions: the SDK reports neither the
        # start nor the end of a session.
        owners = (owner for manager in self._managers for owner in manager._session_owners.values())
        count = sum(owner["subject"] == caller.subject for owner in owners)
        return count < self._max_sessions_per_caller

    def end_streams(self) -> None:
        """Ends the streams that clients opened by GET."""
        self._shutdown.set()


class _ResumableManager(StreamableHTTPSessionManager):
    """A session manager with an event store per session.

    The SDK's manager has one event store, which the transport of every session reads from the
    attribute `event_store`. Transports name a stream by the id of the request, and request ids repeat
    in every session: with a shared store, a client could resume a stream of another session. A
    property in place of the attribute gives the transport of every session a store of its own.
    """

    make_event_store: Callable[[], EventStore] | None = None

    @property
    def event_store(self) -> EventStore | None:
        """A new event store, for the session that starts."""
        return self.make_event_store() if self.make_event_store else None

    @event_store.setter
    def event_store(self, store: EventStore | None) -> None:
        """Ignored: the SDK's constructor sets the store that all sessions would share."""


class _SessionRouter:
    """Passes each request to the application with sessions or to the application without sessions.
    `shutdown` is set before the process ends, and `may_start_session` limits the sessions of a
    caller."""

    def __init__(
        self,
        app: Asgi,
        session_app: Asgi,
        shutdown: asyncio.Event,
        may_start_session: Callable[[Caller], bool],
    ) -> None:
        self._app, self._session_app = app, session_app
        self._shutdown, self._may_start_session = shutdown, may_start_session
        self._end_events: dict[tuple[str, str | None, str], asyncio.Event] = {}
        """The end of each running request, by caller, session id and request id."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Routes one request."""
        headers = Headers(scope=scope)
        # `initialize` has no such header, and neither have clients of the oldest revisions.
        revision = headers.get("mcp-protocol-version") or HANDSHAKE_PROTOCOL_VERSIONS[0]
        has_session = "mcp-session-id" in headers
        if revision not in HANDSHAKE_PROTOCOL_VERSIONS:
            await self._app(scope, receive, send)
        elif has_session and scope["method"] == "GET":
            await self._listen(scope, receive, send)
        elif has_session:
            await self._answer_in_session(scope, receive, send)
        elif scope["method"] != "POST":
            await respond(send, 405, headers=((b"allow", b"POST"),))
        elif _is_initialize(scope) and self._may_start_session(caller_of(scope)):
            await self._start_session(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _listen(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a GET with a stream of events, and ends the stream at shutdown."""
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
        # After `http.disconnect` the SDK stops without ending the response.
        if is_open and self._shutdown.is_set():
            await send({"type": "http.response.body", "body": b""})

    async def _answer_in_session(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a message of a session, or a DELETE, which ends the session. Refuses a request
        whose id is in use: the SDK would mix up the responses of both requests."""
        content = body_of(scope).content
        if not isinstance(content, dict) or "method" not in content or "id" not in content:
            await self._session_app(_with_owner(scope), receive, send)
            return
        # As text, because the SDK names the stream of a request by `str(id)`: 1 and "1" collide.
        id = str(content["id"])
        key = caller_of(scope).mark, Headers(scope=scope).get("mcp-session-id"), id
        if earlier_end := self._end_events.get(key):
            with suppress(TimeoutError):
                await asyncio.wait_for(earlier_end.wait(), DUPLICATE_ID_SECONDS)
        # The SDK names the stream that a client opens by GET `GET_STREAM_KEY`.
        if key in self._end_events or id == GET_STREAM_KEY:
            problem = rpc_error("This id is that of another request under way", id=content["id"])
            await respond(send, 400, problem)
            return
        end_event = self._end_events[key] = asyncio.Event()
        # If a call closes the stream before the first event is sent, SDK 2.3 drops this event, whose
        # id the client needs to resume the stream. `AskingChannel.close_stream` waits until then.
        stream_started = asyncio.Event()

        async def forward(message: Message) -> None:
            await send(message)
            if message.get("body"):
                stream_started.set()

        try:
            session_scope = {**_with_owner(scope), STREAM_STARTED_KEY: stream_started}
            await self._session_app(session_scope, receive, forward)
        finally:
            del self._end_events[key]
            end_event.set()
            stream_started.set()

    async def _start_session(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Starts a session. If the endpoint has too many sessions, serves the client without a
        session."""
        is_refused = False

        async def forward(message: Message) -> None:
            nonlocal is_refused
            is_refused = is_refused or message.get("status") == _TOO_MANY_SESSIONS
            if not is_refused:
                await send(message)

        raw = body_of(scope).raw
        await self._session_app(_with_owner(scope), replaying(raw, receive), forward)
        if is_refused:
            await self._app(scope, replaying(raw, receive), send)


def _with_owner(scope: Scope) -> Scope:
    """The scope with the caller in the SDK's form. The SDK answers 404 to a caller who did not start
    the session."""
    caller = caller_of(scope)
    token = AccessToken(token="", client_id=caller.mark, scopes=[], subject=caller.subject)
    return {**scope, "user": AuthenticatedUser(token)}


def _is_initialize(scope: Scope) -> bool:
    content = body_of(scope).content
    return isinstance(content, dict) and content.get("method") == "initialize"
