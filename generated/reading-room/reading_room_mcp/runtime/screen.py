"""Asks the rules about every message before the SDK sees it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from .caller import Caller, caller_of
from .http import Asgi, Receive, Scope, Send, read_body, replaying, respond
from .policy import Refusal, Rule, Told
from .tool import Json


@dataclass(frozen=True)
class Screened:
    """An application behind rules. `watching` are told of refusals; `limit` bounds a message, as at
    the edge before it; `meaning` is the message that one stands for, and `allows` tells whether a
    caller may call the tool of a name."""

    app: Asgi
    rules: Sequence[Rule]
    watching: Sequence[Rule]
    limit: int
    meaning: Callable[[Mapping[str, Json]], Mapping[str, Json]]
    allows: Callable[[Caller, str], bool]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a message with the first refusal, or lets the application do it."""
        body = await read_body(scope, receive, self.limit)
        content = _parsed(body)
        if content is not None:
            told = self._told(caller_of(scope), content)
            for rule in self.rules:
                if refusal := await rule.screen(told):
                    for each in self.watching:
                        await each.refused(told, refusal)
                    await _refuse(send, refusal, told.id)
                    return
        await self.app(scope, replaying(body, receive), send)

    def _told(self, caller: Caller, content: Mapping[str, Json]) -> Told:
        told = Told(caller, self.meaning(content))
        if told.tool and not self.allows(caller, told.tool):
            return replace(told, allowed=False)
        return told


def _parsed(body: bytes) -> dict[str, Json] | None:
    """The message, None for what is none: the SDK says what is wrong with it."""
    try:
        content = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return content if isinstance(content, dict) else None


async def _refuse(send: Send, refusal: Refusal, id: Json) -> None:
    error: dict[str, Json] = {"code": refusal.code, "message": refusal.message}
    if refusal.details is not None:
        error["data"] = refusal.details
    headers = tuple((name.encode(), value.encode()) for name, value in refusal.headers)
    await respond(send, refusal.status, {"jsonrpc": "2.0", "id": id, "error": error}, headers)
