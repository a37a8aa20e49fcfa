# Copied by mcpgen from mcpgen-runtime; changes belong in hooks.py or mcpgen.toml.
"""The client of a running call, which gets progress and log messages. Servers with questions to clients
use the subclasses in `elicitation`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Literal

from mcp.server.connection import allowed_log_levels
from mcp.server.context import ServerRequestContext
from mcp_types import LoggingMessageNotification, LoggingMessageNotificationParams

from ..caller import ANYBODY, Caller, caller_of
from ..result import Result, bullet_list
from ..tool import Json

Context = ServerRequestContext[Any, Any]  # The SDK's context of a request

Level = Literal["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"]
"""Severity of a log message, as in RFC 5424, least severe first."""

WantsLog = Callable[[Context, Level], bool]
"""True if a log message of a level may be sent to the sender of a request."""

FetchContext = Callable[[], Awaitable[Context]]
"""Waits for the SDK's context of a request. The fast path has a context only after a call has been
handed to the SDK."""

_PROGRESS_TOKEN, _LOG_LEVEL = "progressToken", "io.modelcontextprotocol/logLevel"  # In `_meta`
_MODERN_PREFIX = "io.modelcontextprotocol/"  # In `_meta` of every request since 2026-07-28


class NoAnswer(Exception):
    """A question without a usable answer: not asked, unanswered, or answered invalidly. The first of
    `reasons` is the headline of the error, and `needs` are the client capabilities that the client
    has not declared."""

    def __init__(self, *reasons: str, needs: Mapping[str, Json] | None = None) -> None:
        super().__init__(*reasons)
        self.needs = needs

    @property
    def result(self) -> Result:
        """The error result of a call that needs the answer."""
        head, *reasons = self.args
        return replace(Result.error(bullet_list(head, reasons)), needs=self.needs)


class InputRequired(BaseException):
    """Ends a call that the client must repeat with answers; `result` has the questions. Not an
    `Exception`, so that an `except Exception` of a handler does not catch the question."""

    def __init__(self, result: Result) -> None:
        super().__init__("a call asks its client")
        self.result = result


class ClientChannel:
    """The client during one call. This class cannot ask the client; the subclass `AskingChannel` in
    `elicitation` can.

    `fetch_context` is None if no client waits for the call: for a nested call, which another call
    makes. `meta` is the `_meta` of the request.
    """

    def __init__(
        self,
        fetch_context: FetchContext | None = None,
        meta: Mapping[str, Json] | None = None,
        wants_log: WantsLog = lambda context, level: True,
    ) -> None:
        self._fetch_context = fetch_context
        self._meta: Mapping[str, Any] = meta or {}
        self._wants_log = wants_log
        self.has_written = False
        """True if the call has sent a request that may change something in the API."""

    @property
    def listens(self) -> bool:
        """True if a client waits for the call; False for a nested call."""
        return self._fetch_context is not None

    @property
    def is_repeated(self) -> bool:
        """False; `AskingChannel` returns True for a call repeated with an answer."""
        return False

    async def progress(self, progress: float, total: float | None, message: str | None) -> None:
        """Sends progress, if the client gave a progress token."""
        if self._fetch_context and self._meta.get(_PROGRESS_TOKEN) is not None:
            context = await self._fetch_context()
            await context.session.report_progress(progress, total, message)

    async def log(self, level: Level, message: Json, name: str | None) -> None:
        """Sends a log message of the logger `name`. Since revision 2026-07-28 a request must ask for
        log messages and name the minimum level; clients of earlier revisions get all messages that
        `wants_log` allows."""
        is_modern = any(key.startswith(_MODERN_PREFIX) for key in self._meta)
        if not self._fetch_context or (is_modern and not self._meta.get(_LOG_LEVEL)):
            return
        context = await self._fetch_context()
        allowed = allowed_log_levels(context.protocol_version, context.meta)
        if level in allowed and self._wants_log(context, level):
            params = LoggingMessageNotificationParams(level=level, data=message, logger=name)
            entry = LoggingMessageNotification(params=params)
            await context.session.send_notification(entry, context.request_id)

    async def close_stream(self) -> None:
        """Does nothing; `AskingChannel` closes the event stream of the call."""

    async def hears(self, question: Any) -> bool:
        """False: this class cannot ask the client."""
        return False

    async def ask(self, *questions: Any) -> list[dict[str, Any]]:
        """Raises `NoAnswer` in a nested call, and `RuntimeError` otherwise."""
        raise self._cannot_ask_error()

    async def ask_for(self, kind: str, *content: Any, **options: Any) -> dict[str, Any]:
        """Raises an error as `ask` does; the subclass calls the constructor `kind` of `Question`."""
        raise self._cannot_ask_error()

    def _cannot_ask_error(self) -> Exception:
        if not self._fetch_context:
            return NoAnswer("A call inside another cannot ask the user; make it by itself.")
        return RuntimeError(
            "this server was built without questions to users: set `elicitation.hooks = true` in"
            " mcpgen.toml and build the server again"
        )


Answer = Callable[[ClientChannel], Awaitable[Result | dict[str, Any]]]
"""Answers a request and may use the channel to the client: a result, or a result in MCP format."""


class ClientChannels:
    """Opens the channel of each call, and answers requests with an open channel."""

    def __init__(self, wants_log: WantsLog) -> None:
        self._wants_log = wants_log

    def open(self, fetch_context: FetchContext, meta: Mapping[str, Json] | None) -> ClientChannel:
        """Opens the channel of a call."""
        return ClientChannel(fetch_context, meta, self._wants_log)

    async def respond(self, context: Context, answer: Answer) -> dict[str, Any]:
        """Answers a request, in MCP format."""
        return to_wire(await answer(self.open(partial(get_context, context), meta_of(context))))

    def end_questions(self) -> None:
        """Does nothing: the channels of this class have no questions."""


async def get_context(context: Context) -> Context:
    """Returns `context`; with `partial`, a `FetchContext` for a request whose context is at hand."""
    return context


def to_wire(answer: Result | dict[str, Any]) -> dict[str, Any]:
    """An answer in MCP format."""
    return answer.wire() if isinstance(answer, Result) else answer


def meta_of(context: Context) -> Mapping[str, Json] | None:
    """The `_meta` of a request, None if absent."""
    meta: Mapping[str, Json] | None = (context.params or {}).get("_meta")
    return meta


def caller_in(context: Context) -> Caller:
    """The caller of a request; `ANYBODY` if the SDK has no ASGI request for the message."""
    return caller_of(context.request.scope) if context.request else ANYBODY
