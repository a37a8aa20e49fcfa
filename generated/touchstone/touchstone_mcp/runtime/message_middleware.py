"""Asks the rules about every message before the SDK sees it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from .asgi import Asgi, Receive, Scope, Send, body_of, respond
from .caller import Caller, caller_of
from .message_rules import MessageRules
from .middleware import IncomingMessage, MessageRefused
from .tool import Json


@dataclass(frozen=True)
class MessageMiddleware:
    """An application behind the rules that look at messages; `told` is what they are told of one."""

    app: Asgi
    screening: MessageRules
    told: Callable[[Caller, Mapping[str, Json]], IncomingMessage]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a message with the first refusal, or lets the application do it."""
        content = body_of(scope).content
        if isinstance(content, dict):
            told = self.told(caller_of(scope), content)
            if refusal := await self.screening.refusal(told):
                await _refuse(send, refusal, told.id)
                return
        await self.app(scope, receive, send)


async def _refuse(send: Send, refusal: MessageRefused, id: Json) -> None:
    error: dict[str, Json] = {"code": refusal.code, "message": refusal.message}
    if refusal.details is not None:
        error["data"] = refusal.details
    headers = tuple((name.encode(), value.encode()) for name, value in refusal.headers)
    await respond(send, refusal.status, {"jsonrpc": "2.0", "id": id, "error": error}, headers)
