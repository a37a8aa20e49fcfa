"""One request id for the log, the upstream requests and the response."""

from __future__ import annotations

import re
from dataclasses import replace
from secrets import token_hex

from starlette.datastructures import Headers

from ..server.asgi import Asgi, Message, Receive, Scope, Send
from ..server.invocation import Deliver, Invocation
from ..server.middleware import Middleware
from ..upstream.exchange import UpstreamRequest, UpstreamResponse
from .logs import current_request_id

HEADER = "X-Request-Id"
"""The header of the id, in requests, upstream requests and responses."""

_WELL_FORMED = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}")


def request_id() -> str:
    """The id of the current request, `""` without a request."""
    return current_request_id.get()


class RequestIds(Middleware):
    """Gives every request an id: the client's id if well-formed, otherwise a random id."""

    def gate(self, app: Asgi) -> Asgi:
        """Sets the id of each request, and the header of the response."""

        async def gated(scope: Scope, receive: Receive, send: Send) -> None:
            header = Headers(scope=scope).get(HEADER, "").strip()
            id = header if _WELL_FORMED.fullmatch(header) else token_hex(16)
            current_request_id.set(id)

            async def with_id(message: Message) -> None:
                if message["type"] == "http.response.start":
                    pair = (HEADER.lower().encode(), id.encode())
                    message = {**message, "headers": [*message.get("headers", ()), pair]}
                await send(message)

            await app(scope, receive, with_id)

        return gated

    async def send(
        self, invocation: Invocation, request: UpstreamRequest, deliver: Deliver
    ) -> UpstreamResponse:
        """Sends the request with the id, unless an argument has set the header."""
        if any(name.lower() == HEADER.lower() for name, _ in request.headers):
            return await deliver(request)
        pair = (HEADER, request_id() or token_hex(16))
        return await deliver(replace(request, headers=(*request.headers, pair)))
