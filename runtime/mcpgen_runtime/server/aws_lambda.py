"""Serves on AWS Lambda: function URLs and HTTP APIs of API Gateway, events of format 2.0.

`LambdaFunction.handle` is the handler for Lambda's Python runtime, which takes whole responses only.
`LambdaFunction.run` speaks the runtime API itself and streams responses:
https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html
https://docs.aws.amazon.com/lambda/latest/dg/runtimes-custom.html#runtimes-custom-response-streaming
https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html
"""

from __future__ import annotations

import asyncio
import gc
import json
import logging
import os
import time
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from http.client import HTTPConnection
from typing import Any, NoReturn, Protocol, TypeVar
from urllib.parse import unquote

from ..observability.logs import flush_all
from ..settings import ServerSettings
from .app import App, StartupError
from .asgi import Message, Scope, replaying, respond, rpc_error
from .cli import load_app

_Settings = TypeVar("_Settings", bound=ServerSettings)

RESPONSE_BYTES = 6_291_556
"""Maximum bytes of a response that is not streamed, as JSON:
https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html"""

MARGIN_SECONDS = 0.5
"""Seconds before the time-out of the function at which a request is cancelled: Lambda kills an
instance that reaches the time-out, and the next request would start a new instance."""

_API = "/2018-06-01/runtime"
_STREAMED = "application/vnd.awslambda.http-integration-response"
_FAILED = "Lambda-Runtime-Function-Error-Type"
_TEXTS = ("text/", "application/json")

logger = logging.getLogger(__name__)


class Context(Protocol):
    """The context of an invocation, as Lambda's Python runtime passes it."""

    def get_remaining_time_in_millis(self) -> int:
        """Milliseconds until the time-out of the function."""


class _Response(Protocol):
    """Takes the messages of a response."""

    status: int

    async def send(self, message: Message) -> None:
        """Takes a message of the application."""


class LambdaFunction:
    """The server of a project as a function. The application starts once per instance, when the
    module of the function is imported; one request at a time runs in an instance.

    `asks`: calls may ask their clients, so that all instances need the same key. Raises
    `StartupError` if the server cannot start, which Lambda reports with the message.
    """

    def __init__(
        self,
        settings: type[_Settings],
        create: Callable[[_Settings], App],
        *,
        asks: bool = False,
    ) -> None:
        self._app = load_app(settings, create, {"several_instances": True} if asks else {})
        refuse_lasting_settings(self._app.settings)
        self._runner = asyncio.Runner()
        self._end = asyncio.Event()
        self._runner.run(self._start())
        # The module of the project has disabled collection for its imports, whose objects stay.
        gc.freeze()
        gc.enable()

    async def _start(self) -> None:
        started: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._life = asyncio.create_task(self._live(started))
        await started

    async def _live(self, started: asyncio.Future[None]) -> None:
        """Runs the application. A task has to leave the task groups that the task entered."""
        try:
            async with self._app.running():
                started.set_result(None)
                await self._end.wait()
        except Exception as fault:
            if started.done():
                raise
            started.set_exception(fault)

    def close(self) -> None:
        """Ends the application."""

        async def end() -> None:
            self._end.set()
            await self._life

        self._runner.run(end())
        self._runner.close()

    def handle(self, event: Mapping[str, Any], context: Context) -> dict[str, Any]:
        """The handler: answers an event with a whole response."""
        response = _WholeResponse()
        self._answer(event, context.get_remaining_time_in_millis() / 1000, response)
        return response.content()

    def run(self) -> NoReturn:
        """Answers invocations of the runtime API with streamed responses, until Lambda ends the
        process. The function URL needs the invoke mode `RESPONSE_STREAM`."""
        connection = HTTPConnection(os.environ["AWS_LAMBDA_RUNTIME_API"])
        while True:
            connection.request("GET", f"{_API}/invocation/next")
            invocation = connection.getresponse()
            event = json.loads(invocation.read())
            id = invocation.headers["Lambda-Runtime-Aws-Request-Id"]
            deadline = int(invocation.headers["Lambda-Runtime-Deadline-Ms"]) / 1000
            response = _StreamedResponse(id)
            self._answer(event, deadline - time.time(), response)
            response.close()

    def _answer(self, event: Mapping[str, Any], seconds: float, response: _Response) -> None:
        """Answers an event within `seconds`. Lambda freezes the instance afterwards, so the lines of
        the log are written before."""
        try:
            self._runner.run(self._respond(event, seconds - MARGIN_SECONDS, response))
        finally:
            flush_all()

    async def _respond(self, event: Mapping[str, Any], seconds: float, response: _Response) -> None:
        # The API may have closed idle connections while the instance was frozen. One turn of the
        # event loop reads the ends of these connections, so that no request is sent over them.
        await asyncio.sleep(0)
        try:
            scope, body = read_event(event)
        except (KeyError, TypeError, ValueError):
            logger.error("an event is no HTTP request of format 2.0")
            await respond(response.send, 400, rpc_error("The event is no request of format 2.0"))
            return
        try:
            async with asyncio.timeout(seconds):
                await self._app(scope, replaying(body, _never), response.send)
        except TimeoutError:
            logger.warning("a request was cancelled at the time-out of the function")
            if not response.status:
                error = rpc_error("The request took longer than the function may run")
                await respond(response.send, 504, error)
        except Exception:
            logger.exception("a request failed")
            if not response.status:
                await respond(response.send, 500, rpc_error("Internal server error"))


def refuse_lasting_settings(settings: ServerSettings) -> None:
    """Raises `StartupError` for settings that need a running process between two requests."""
    reasons = []
    if getattr(settings, "sessions", False):
        reasons.append(
            f"sessions live in one process: set {settings.variable('sessions')}=false, which leaves"
            " questions to clients of revision 2026-07-28"
        )
    if getattr(settings, "registers", False):
        reasons.append(
            f"a registration is renewed between requests: set {settings.variable('registers')}=false"
        )
    if reasons:
        raise StartupError(f"cannot serve on AWS Lambda: {'; '.join(reasons)}")


def read_event(event: Mapping[str, Any]) -> tuple[Scope, bytes]:
    """The ASGI scope and the body of a request. Raises KeyError, TypeError or ValueError for an event
    that is no HTTP request of format 2.0."""
    if event["version"] != "2.0":
        raise ValueError("another format")
    context = event["requestContext"]
    request = context["http"]
    raw_path = event["rawPath"]
    # The path of an HTTP API begins with the stage, unless the stage is `$default`.
    stage = f"/{context.get('stage', '$default')}"
    if stage != "/$default" and f"{raw_path}/".startswith(f"{stage}/"):
        raw_path = raw_path.removeprefix(stage) or "/"
    headers = [
        (name.lower().encode("latin-1"), str(value).encode("latin-1"))
        for name, value in event["headers"].items()
    ]
    if cookies := event.get("cookies"):
        headers.append((b"cookie", "; ".join(cookies).encode("latin-1")))
    text = event.get("body") or ""
    body = b64decode(text) if event.get("isBase64Encoded") else text.encode()
    scope: Scope = {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.4"},
        "http_version": request["protocol"].partition("/")[2],
        "method": request["method"],
        "scheme": "https",
        "path": unquote(raw_path),
        "raw_path": raw_path.encode(),
        "query_string": event.get("rawQueryString", "").encode(),
        "root_path": "",
        "headers": headers,
        "client": (request["sourceIp"], 0),
        "server": (context["domainName"], 443),
        "state": {},
    }
    return scope, body


class _WholeResponse:
    """A response as a value, in format 2.0. `status` is 0 before the start."""

    def __init__(self) -> None:
        self.status = 0
        self._headers: dict[str, str] = {}
        self._body = bytearray()

    async def send(self, message: Message) -> None:
        """Takes a message of the application."""
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self._headers = dict(_header_lines(message))
        else:
            self._body += message.get("body", b"")

    def content(self) -> dict[str, Any]:
        """The response, or an error for a response above the limit of Lambda."""
        content = self._content()
        # Lambda's runtime writes characters outside of ASCII as `\\uXXXX`, as `json` does.
        if len(json.dumps(content)) > RESPONSE_BYTES:
            logger.error("a response is larger than the 6 MB that Lambda allows")
            error = "The response is larger than the 6 MB that AWS Lambda allows"
            self.status, self._headers = 500, {"content-type": "application/json"}
            self._body = bytearray(json.dumps(rpc_error(error)).encode())
            content = self._content()
        return content

    def _content(self) -> dict[str, Any]:
        is_text = self._headers.get("content-type", "text/").startswith(_TEXTS)
        return {
            "statusCode": self.status,
            "headers": self._headers,
            "body": self._body.decode() if is_text else b64encode(self._body).decode(),
            "isBase64Encoded": not is_text,
        }


class _StreamedResponse:
    """A response sent in pieces to the runtime API: status and headers as JSON, eight zero bytes, and
    the body. `status` is 0 before the start."""

    def __init__(self, id: str) -> None:
        self.status = 0
        self._is_complete = False
        self._connection = HTTPConnection(os.environ["AWS_LAMBDA_RUNTIME_API"])
        self._path = f"{_API}/invocation/{id}/response"

    async def send(self, message: Message) -> None:
        """Takes a message of the application."""
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self._begin(dict(_header_lines(message)))
            return
        if body := message.get("body", b""):
            self._write(body)
        self._is_complete = not message.get("more_body", False)

    def _begin(self, headers: Mapping[str, str]) -> None:
        self._connection.putrequest("POST", self._path)
        for name, value in (
            ("Content-Type", _STREAMED),
            ("Lambda-Runtime-Function-Response-Mode", "streaming"),
            ("Transfer-Encoding", "chunked"),
            ("Trailer", _FAILED),
        ):
            self._connection.putheader(name, value)
        self._connection.endheaders()
        head = {"statusCode": self.status, "headers": headers}
        self._write(json.dumps(head).encode() + bytes(8))

    def _write(self, piece: bytes) -> None:
        """Writes a chunk. Waits for Lambda, since no other request runs in the instance."""
        self._connection.send(b"%x\r\n%b\r\n" % (len(piece), piece))

    def close(self) -> None:
        """Ends the response; the trailer reports a response that broke off."""
        trailer = b"" if self._is_complete else f"{_FAILED}: Function.BrokenOff\r\n".encode()
        self._connection.send(b"0\r\n%b\r\n" % trailer)
        # A response above a limit of Lambda is cut off there, and nobody can be told.
        with suppress(OSError):
            self._connection.getresponse().read()
        self._connection.close()


async def _never() -> Message:
    """Waits without end: Lambda does not report a client that leaves."""
    await asyncio.Event().wait()
    return {}


def _header_lines(message: Message) -> Iterator[tuple[str, str]]:
    for name, value in message.get("headers", ()):
        # Lambda renames headers of the connection to `x-amzn-remapped-…`.
        if name.lower() != b"connection":
            yield name.decode("latin-1"), value.decode("latin-1")
