"""Policy rules that check messages, and the ASGI layer in front of the SDK that applies the rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from ..caller import Caller, caller_of
from ..tool import Json
from .asgi import Asgi, Receive, Scope, Send, body_of, respond
from .middleware import Middleware


@dataclass(frozen=True)
class IncomingMessage:
    """One JSON-RPC message before processing. `allowed` is false for a call that the caller may not
    make or of a tool that does not exist for the caller. `is_nested` marks a call made by another
    call."""

    caller: Caller
    content: Mapping[str, Json]
    allowed: bool = True
    is_nested: bool = False

    @property
    def id(self) -> Json:
        """The id of the request, None for a notification."""
        return self.content.get("id")

    @property
    def method(self) -> str:
        """The method, `""` if absent."""
        return str(self.content.get("method", ""))

    @property
    def tool(self) -> str:
        """The name of the called tool, `""` for other messages."""
        params = self.content.get("params")
        if self.method != "tools/call" or not isinstance(params, dict):
            return ""
        return str(params.get("name", ""))


@dataclass(frozen=True)
class MessageRefused:
    """The refusal of a message: HTTP status and JSON-RPC error."""

    status: int
    code: int
    message: str
    details: Json = None
    headers: tuple[tuple[str, str], ...] = ()


class MessageRule(Middleware):
    """A policy rule that checks or observes messages."""

    async def screen(self, message: IncomingMessage) -> MessageRefused | None:
        """The refusal of a message, None to accept. Called for every message of a batch."""

    async def refused(self, message: IncomingMessage, refusal: MessageRefused) -> None:
        """Observes a refused message."""


def _rules_overriding(rules: Sequence[Middleware], method: str) -> tuple[MessageRule, ...]:
    """The rules that override a method of `MessageRule`."""
    return tuple(
        rule
        for rule in rules
        if isinstance(rule, MessageRule)
        and getattr(type(rule), method) is not getattr(MessageRule, method)
    )


class MessageRules:
    """The rules that check messages, and the rules that observe refusals."""

    def __init__(self, rules: Sequence[Middleware]) -> None:
        self._screening_rules = _rules_overriding(rules, "screen")
        self._observing_rules = _rules_overriding(rules, "refused")

    def __bool__(self) -> bool:
        """True if any rule checks messages."""
        return bool(self._screening_rules)

    async def refusal(self, message: IncomingMessage) -> MessageRefused | None:
        """The first refusal of a message, None to accept."""
        for rule in self._screening_rules:
            if refusal := await rule.screen(message):
                await self.report(message, refusal)
                return refusal
        return None

    async def report(self, message: IncomingMessage, refusal: MessageRefused) -> None:
        """Reports a refused message to the observing rules."""
        for rule in self._observing_rules:
            await rule.refused(message, refusal)


@dataclass(frozen=True)
class MessageMiddleware:
    """Wraps an application in the rules that check messages; `read_message` builds the view of a
    message for the rules."""

    app: Asgi
    screening: MessageRules
    read_message: Callable[[Caller, Mapping[str, Json]], IncomingMessage]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a message with the first refusal, or passes the message on."""
        content = body_of(scope).content
        if isinstance(content, dict):
            message = self.read_message(caller_of(scope), content)
            if refusal := await self.screening.refusal(message):
                await _send_refusal(send, refusal, message.id)
                return
        await self.app(scope, receive, send)


async def _send_refusal(send: Send, refusal: MessageRefused, id: Json) -> None:
    error: dict[str, Json] = {"code": refusal.code, "message": refusal.message}
    if refusal.details is not None:
        error["data"] = refusal.details
    headers = tuple((name.encode(), value.encode()) for name, value in refusal.headers)
    await respond(send, refusal.status, {"jsonrpc": "2.0", "id": id, "error": error}, headers)
