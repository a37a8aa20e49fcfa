# Copied by mcpgen from mcpgen-runtime; changes belong in hooks.py or mcpgen.toml.
"""The client of a call: progress, log messages, and the way to ask questions."""

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
"""Severity of a log message, as in RFC 5424."""

WantsLog = Callable[[Context, Level], bool]
"""Decides if a log message of a level is sent to the sender of a request."""

FetchContext = Callable[[], Awaitable[Context]]  # Waits for the SDK's context of a request

_PROGRESS, _LEVEL = "progressToken", "io.modelcontextprotocol/logLevel"


class NoAnswer(Exception):
    """A question without a usable answer: not asked, unanswered, or answered invalidly. `needs` are
    the client capabilities that are missing."""

    def __init__(self, *reasons: str, needs: Mapping[str, Json] | None = None) -> None:
        super().__init__(*reasons)
        self.needs = needs

    @property
    def result(self) -> Result:
        """The result of a call that needs the answer."""
        head, *reasons = self.args
        return replace(Result.error(bullet_list(head, reasons)), needs=self.needs)


class InputRequired(BaseException):
    """Ends a call that the client must repeat with answers. Not an `Exception`, so that handlers do
    not catch it as a failure."""

    def __init__(self, result: Result) -> None:
        super().__init__("a call asks its client")
        self.result = result


class ClientChannel:
    """The client during one call; no client without `fetch_context`, as in a nested call.
    `fetch_context` waits for the SDK's context, and `meta` is the `_meta` of the request."""

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
        """True if the call has sent a request that must not be sent again."""

    @property
    def listens(self) -> bool:
        """True if a client waits for the call; False for a nested call."""
        return self._fetch_context is not None

    @property
    def is_repeated(self) -> bool:
        """True for a repeated call with an answer to an earlier question."""
        return False

    async def progress(self, progress: float, total: float | None, message: str | None) -> None:
        """Sends progress, if the client gave a progress token."""
        if self._fetch_context and self._meta.get(_PROGRESS) is not None:
            context = await self._fetch_context()
            await context.session.report_progress(progress, total, message)

    async def log(self, level: Level, message: Json, name: str | None) -> None:
        """Sends a log message, if the client asked for log messages."""
        # Earlier revisions, whose `_meta` has no such keys, need no opt-in.
        is_old = not any(key.startswith("io.modelcontextprotocol/") for key in self._meta)
        if not self._fetch_context or not (is_old or self._meta.get(_LEVEL)):
            return
        context = await self._fetch_context()
        allowed = allowed_log_levels(context.protocol_version, context.meta)
        if level in allowed and self._wants_log(context, level):
            params = LoggingMessageNotificationParams(level=level, data=message, logger=name)
            entry = LoggingMessageNotification(params=params)
            await context.session.send_notification(entry, context.request_id)

    async def close_stream(self) -> None:
        """Closes the event stream of the call, if the client can resume the stream."""

    async def hears(self, question: Any) -> bool:
        """True if the client has declared the capability for a question; False in a nested call."""
        return False

    async def ask(self, *questions: Any) -> list[dict[str, Any]]:
        """The answers to questions, in MCP format. Raises `NoAnswer` on failure."""
        raise self._cannot_ask_error()

    async def ask_for(self, kind: str, *content: Any, **options: Any) -> dict[str, Any]:
        """The answer to one question, made by the constructor `kind` of `Question`."""
        raise self._cannot_ask_error()

    def _cannot_ask_error(self) -> Exception:
        if not self._fetch_context:
            return NoAnswer("A call inside another cannot ask the user; make it by itself.")
        return RuntimeError(
            "this server was built without questions to users: set `elicitation.hooks = true` in"
            " mcpgen.toml and build the server again"
        )


Answer = Callable[[ClientChannel], Awaitable[Result | dict[str, Any]]]
"""Answers a request whose sender can be reached: a result, or the wire format of a result."""


class ClientChannels:
    """Makes the channel of each call."""

    def __init__(self, wants_log: WantsLog) -> None:
        self._wants_log = wants_log

    def open(self, fetch_context: FetchContext, meta: Mapping[str, Json] | None) -> ClientChannel:
        """The channel of a call."""
        return ClientChannel(fetch_context, meta, self._wants_log)

    async def respond(self, context: Context, answer: Answer) -> dict[str, Any]:
        """The answer to a request, in MCP format."""
        return to_wire(await answer(self.open(partial(get_context, context), meta_of(context))))

    def end_questions(self) -> None:
        """Ends unanswered questions."""


async def get_context(context: Context) -> Context:
    """The context of a request that the SDK has."""
    return context


def to_wire(answer: Result | dict[str, Any]) -> dict[str, Any]:
    """An answer in MCP format."""
    return answer.wire() if isinstance(answer, Result) else answer


def meta_of(context: Context) -> Mapping[str, Json] | None:
    """The `_meta` of a request."""
    meta: Mapping[str, Json] | None = (context.params or {}).get("_meta")
    return meta


def caller_in(context: Context) -> Caller:
    """The sender of the current message."""
    return caller_of(context.request.scope) if context.request else ANYBODY
