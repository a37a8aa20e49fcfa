"""Audit events: one event per call, and one per refused request."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime

from pydantic import SecretStr

from ..caller import Caller
from ..result import Result
from ..server.asgi import Asgi, Message, Receive, Scope, Send
from ..server.invocation import Finish, Invocation
from ..server.message_rules import IncomingMessage, MessageRefused, MessageRule
from ..settings import ServerSettings
from ..tool import Json
from ..upstream.value_text import loads
from .redact import Redactor
from .redact_names import redact_named
from .request_id import request_id

INVOKE = "mcp.invoke"
"""The event of a call, refused or not."""

REFUSE = "mcp.refuse"
"""The event of a request refused with HTTP 401 or 403 before the message was read."""

DROP = "mcp.drop"
"""The event about events that could not be written: number and reason."""

MAX_ARGUMENT_CHARACTERS = 8192
"""Maximum size of the arguments in an event, in characters."""

_NAME_LENGTH = 128
_REFUSED = (401, 403)

Event = dict[str, Json]
Sink = Callable[[Event], None]
"""Stores an event."""


class Audit(MessageRule):
    """Writes an event for each call; with `arguments`, includes the arguments without secrets."""

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
        """Wraps the application and records refused requests."""

        async def gated(scope: Scope, receive: Receive, send: Send) -> None:
            async def noticed(message: Message) -> None:
                if message["type"] == "http.response.start" and message["status"] in _REFUSED:
                    self._record(REFUSE, {"outcome": "denied", "status": message["status"]})
                await send(message)

            await app(scope, receive, noticed)

        return gated

    async def refused(self, message: IncomingMessage, refusal: MessageRefused) -> None:
        """Records a refused call."""
        if message.tool:
            event: Event = {"subject": message.caller.subject, "tool": message.tool[:_NAME_LENGTH]}
            self._record(INVOKE, {**event, "outcome": "denied", "status": refusal.status})

    async def call(self, invocation: Invocation, finish: Finish) -> Result:
        """Runs the call and records the outcome, also after an exception."""
        started_at = time.perf_counter()
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
                "durationMs": round((time.perf_counter() - started_at) * 1000, 3),
            }
            if invocation.statuses:
                event["upstreamStatus"] = invocation.statuses[-1]
            if self._arguments:
                event["arguments"] = self._redacted_arguments(
                    invocation.arguments, invocation.caller
                )
            self._record(INVOKE, event)

    def _record(self, name: str, event: Event) -> None:
        self._sink(self._event(name, event))

    def _event(self, name: str, event: Event) -> Event:
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        id: Event = {"requestId": current_id} if (current_id := request_id()) else {}
        return {"event": name, "time": now, "server": self._server, **id, **event}

    def _redacted_arguments(self, arguments: Mapping[str, Json], caller: Caller) -> Json:
        """Arguments without secrets: values of secret settings, the caller's credential, and
        members with secret names."""
        text = json.dumps(redact_named(dict(arguments)), ensure_ascii=False)
        if len(text) > MAX_ARGUMENT_CHARACTERS:
            return f"[{len(text)} characters]"
        # `loads` gives null for an infinite number, which no JSON line can contain.
        return loads(self._redactor.knowing([caller.credential]).clean_json(text)).value
