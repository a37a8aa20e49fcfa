"""Who called what, and what came of it: one event for each call, and for each that was refused."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime

from pydantic import SecretStr

from ..caller import Caller
from ..result import Result
from ..server.asgi import Asgi, Message, Receive, Scope, Send
from ..server.middleware import Finish, IncomingMessage, Invocation, MessageRefused, Middleware
from ..settings import ServerSettings
from ..tool import Json
from .redact import MASK, SHORTEST, Redactor, redact_named
from .request_id import request_id

INVOKE = "mcp.invoke"
"""The event of a call, also of one that was refused."""

REFUSE = "mcp.refuse"
"""The event of a request that was refused before anybody looked for a call in it."""

DROP = "mcp.drop"
"""The event about events that could not be written: their number, and why."""

SHOWN_BYTES = 8192
"""How large the arguments in an event may be."""

_NAME_LENGTH = 128
_REFUSED = (401, 403)

Event = dict[str, Json]
Sink = Callable[[Event], None]
"""Takes an event to where it is kept."""


class Audit(Middleware):
    """The rule that keeps an event of each call. With `arguments`, it has those too, without
    secrets."""

    def __init__(
        self, settings: ServerSettings, sink: Sink, *, server: str, arguments: bool = False
    ) -> None:
        self._sink = sink
        self._server = server
        self._arguments = arguments
        values = (getattr(settings, name) for name in type(settings).model_fields)
        secrets = (value.get_secret_value() for value in values if isinstance(value, SecretStr))
        self._redactor = Redactor(secrets)

    def gate(self, app: Asgi) -> Asgi:
        """The application, whose refusals of whole requests are noticed."""

        async def gated(scope: Scope, receive: Receive, send: Send) -> None:
            async def noticed(message: Message) -> None:
                if message["type"] == "http.response.start" and message["status"] in _REFUSED:
                    self._keep(REFUSE, {"outcome": "denied", "status": message["status"]})
                await send(message)

            await app(scope, receive, noticed)

        return gated

    async def refused(self, told: IncomingMessage, refusal: MessageRefused) -> None:
        """Keeps the event of a call that was not taken."""
        if told.tool:
            what: Event = {"subject": told.caller.subject, "tool": told.tool[:_NAME_LENGTH]}
            self._keep(INVOKE, {**what, "outcome": "denied", "status": refusal.status})

    async def call(self, invocation: Invocation, finish: Finish) -> Result:
        """The result of a call, of which an event is kept whatever becomes of it."""
        began = time.perf_counter()
        outcome: str = "failure"
        try:
            result = await finish()
            outcome = result.outcome
            return result
        finally:
            event: Event = {
                "subject": invocation.caller.subject,
                "tool": invocation.tool.name,
                "outcome": outcome,
                "durationMs": round((time.perf_counter() - began) * 1000, 3),
            }
            if invocation.statuses:
                event["upstreamStatus"] = invocation.statuses[-1]
            if self._arguments:
                event["arguments"] = self._shown(invocation.arguments, invocation.caller)
            self._keep(INVOKE, event)

    def _keep(self, name: str, event: Event) -> None:
        self._sink(self._event(name, event))

    def _event(self, name: str, event: Event) -> Event:
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        id: Event = {"requestId": known} if (known := request_id()) else {}
        return {"event": name, "time": now, "server": self._server, **id, **event}

    def _shown(self, arguments: Mapping[str, Json], caller: Caller) -> Json:
        """Arguments without secrets: none that the server knows, none of the caller's own, and none
        that is named like one."""
        text = json.dumps(redact_named(dict(arguments)), ensure_ascii=False)
        if len(text) > SHOWN_BYTES:
            return f"[{len(text)} characters]"
        if len(caller.credential) >= SHORTEST:
            text = text.replace(json.dumps(caller.credential, ensure_ascii=False)[1:-1], MASK)
        return json.loads(self._redactor.clean_json(text))
