"""One id for all that a request causes: in the log, towards the API, and in the response."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from dataclasses import replace
from datetime import UTC, datetime
from secrets import token_hex

from .answer import Answer
from .http import Asgi, Message, Receive, Scope, Send, header
from .policy import Deliver, Invocation, Rule
from .request import Request

HEADER = "X-Request-Id"
"""The header that carries the id, inwards, outwards and back."""

_WELL_FORMED = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}")

_current: ContextVar[str] = ContextVar("request_id", default="")


def request_id() -> str:
    """The id of the request that is answered, `""` outside of one."""
    return _current.get()


class Correlation(Rule):
    """The rule that gives every request an id: the client's own, if that is a short word.

    With `json_logs`, the log is written as JSON, one line for each record, with the id.
    """

    def __init__(self, *, json_logs: bool = False) -> None:
        self._json_logs = json_logs

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """The time in which the log is JSON."""
        with self.supervised():
            yield

    @contextmanager
    def supervised(self) -> Iterator[None]:
        """The same for what is said of the processes that answer."""
        loggers = (logging.getLogger(), logging.getLogger("uvicorn"))
        handlers = [one for each in loggers for one in each.handlers] if self._json_logs else []
        before = [handler.formatter for handler in handlers]
        for handler in handlers:
            handler.setFormatter(JsonLine())
        yield
        for handler, formatter in zip(handlers, before, strict=True):
            handler.setFormatter(formatter)

    def gate(self, app: Asgi) -> Asgi:
        """The application with an id for every request."""

        async def gated(scope: Scope, receive: Receive, send: Send) -> None:
            given = (header(scope, HEADER.lower().encode()) or "").strip()
            id = given if _WELL_FORMED.fullmatch(given) else token_hex(16)
            _current.set(id)

            async def with_id(message: Message) -> None:
                if message["type"] == "http.response.start":
                    pair = (HEADER.lower().encode(), id.encode())
                    message = {**message, "headers": [*message.get("headers", ()), pair]}
                await send(message)

            await app(scope, receive, with_id)

        return gated

    async def send(self, invocation: Invocation, request: Request, deliver: Deliver) -> Answer:
        """The answer to the request with the id, unless an argument has filled its header."""
        if any(name.lower() == HEADER.lower() for name, _ in request.headers):
            return await deliver(request)
        pair = (HEADER, request_id() or token_hex(16))
        return await deliver(replace(request, headers=(*request.headers, pair)))


class JsonLine(logging.Formatter):
    """A record of the log as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """The line; its members are `time`, `level`, `logger`, `message`, and where there are any
        `requestId` and `trace`."""
        when = datetime.fromtimestamp(record.created, UTC)
        line = {
            "time": when.isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if id := request_id():
            line["requestId"] = id
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)
