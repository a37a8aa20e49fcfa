"""Asks the rules about every message before the SDK sees it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from .caller import Caller, caller_of
from .http import Asgi, Receive, Scope, Send, body_of, respond
from .policy import Refusal, Rule, Told
from .tool import Json


@dataclass(frozen=True)
class Screened:
    """An application behind rules. `watching` are told of refusals; `meaning` is the message that one
    stands for, and `allows` tells whether a caller may call the tool of a name."""

    app: Asgi
    rules: Sequence[Rule]
    watching: Sequence[Rule]
    meaning: Callable[[Mapping[str, Json]], Mapping[str, Json]]
    allows: Callable[[Caller, str], bool]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a message with the first refusal, or lets the application do it."""
        content = body_of(scope).content
        if isinstance(content, dict):
            told = self._told(caller_of(scope), content)
            for rule in self.rules:
                if refusal := await rule.screen(told):
                    for each in self.watching:
                        await each.refused(told, refusal)
                    await _refuse(send, refusal, told.id)
                    return
        await self.app(scope, receive, send)

    def _told(self, caller: Caller, content: Mapping[str, Json]) -> Told:
        told = Told(caller, self.meaning(content))
        if told.tool and not self.allows(caller, told.tool):
            return replace(told, allowed=False)
        return told


async def _refuse(send: Send, refusal: Refusal, id: Json) -> None:
    error: dict[str, Json] = {"code": refusal.code, "message": refusal.message}
    if refusal.details is not None:
        error["data"] = refusal.details
    headers = tuple((name.encode(), value.encode()) for name, value in refusal.headers)
    await respond(send, refusal.status, {"jsonrpc": "2.0", "id": id, "error": error}, headers)
