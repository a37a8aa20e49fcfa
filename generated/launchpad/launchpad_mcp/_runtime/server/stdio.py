# Copied by mcpgen from mcpgen-runtime; changes belong in hooks.py or mcpgen.toml.
"""Serves one client over standard input and output: one JSON-RPC message per line, in every revision.

The SDK's server answers; rules around messages run as for HTTP.
https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/stdio
https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#stdio
"""

from __future__ import annotations

import asyncio
import logging
import os
import re
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from queue import SimpleQueue

import anyio
from mcp.shared._context_streams import create_context_streams
from mcp.shared.message import ServerMessageMetadata, SessionMessage
from mcp_types import (
    INTERNAL_ERROR,
    PARSE_ERROR,
    JSONRPCMessage,
    JSONRPCNotification,
    JSONRPCRequest,
    JSONRPCResponse,
    jsonrpc_message_adapter,
)
from pydantic import ValidationError
from starlette.requests import Request

from ..caller import Caller, scope_with_caller
from ..observability.logs import ERRORS, OUTPUT
from ..tool import Json
from .app import App, StartupError
from .asgi import (
    INVALID_REQUEST,
    Message,
    Receive,
    Scope,
    Send,
    ascii_json,
    body_of,
    parse_json_body,
    replaying,
    rpc_error,
    with_body,
)
from .transport_guard import MAX_BATCH_MESSAGES, PATHS, disconnect, message_error

logger = logging.getLogger(__name__)

LOCAL = Caller("local")  # The caller: the user who started the process

UNWRITTEN_BYTES = 16 * 1024 * 1024
"""Size of unwritten messages above which no further message is read."""

PIECE_BYTES = 64 * 1024  # Maximum bytes of one read, the size of a pipe on Linux

BATCHES = "2025-03-26"
"""The only revision with batches:
https://modelcontextprotocol.io/specification/2025-03-26/basic#batching"""

_SEPARATORS = re.compile("[\x85\u2028\u2029]")

_HTTP_ONLY = ("allowed_hosts", "allowed_origins")
_SCOPE: Scope = {"type": "http", "method": "POST", "query_string": b""}
# Features keep subscriptions and log levels by session; a process has one.
_HEADERS = [(b"mcp-session-id", b"stdio")]

_KEY = "stdio"

Answer = Callable[[bytes], None]
"""Takes the response to a request as JSON, `b""` for a cancelled request."""


@dataclass
class _InboundMessage:
    """The way of a message through the rules; `is_delivered` once the SDK has the message."""

    answer: Answer
    is_delivered: bool = False


def refuse_http_settings(app: App, toolset: str = "") -> None:
    """Raises `StartupError` for settings and rules that only HTTP can obey, and an unknown toolset."""
    settings = app.settings
    reasons = [
        f"{settings.variable(name)} is set, but stdio has no `Host` and no `Origin`; unset it"
        for name in _HTTP_ONLY
        if getattr(settings, name)
    ]
    if settings.workers > 1:
        variable = settings.variable("workers")
        reasons.append(f"{variable} is {settings.workers}, but stdio has one process; unset it")
    if not settings.enabled:
        reasons.append(f"{settings.variable('enabled')} is false")
    reasons += app.http_only_rules()
    if toolset not in ("", *app.identity.toolsets):
        reasons.append(f"there is no toolset {toolset}; toolsets: {[*app.identity.toolsets]}")
    if reasons:
        raise StartupError(f"cannot serve over stdio: {'; '.join(reasons)}")


def serve_stdio(app: App, toolset: str = "") -> None:
    """Serves a toolset, or the tools of `/mcp`, until the end of input, SIGTERM or SIGINT; answers
    running calls within `grace_seconds`. Raises `StartupError` as `refuse_http_settings` does."""
    refuse_http_settings(app, toolset)
    with _private_streams() as (source, sink), suppress(KeyboardInterrupt):
        asyncio.run(StdioConnection(app, source, sink, toolset).run())


@contextmanager
def _private_streams() -> Iterator[tuple[int, int]]:
    """Duplicates of descriptors 0 and 1. Until the end, descriptor 0 is empty and descriptor 1 is
    standard error, so that `print` in a hook and child processes do not reach the client."""
    source, sink = os.dup(0), os.dup(OUTPUT)
    empty = os.open(os.devnull, os.O_RDONLY)
    try:
        os.dup2(empty, 0)
        os.dup2(ERRORS, OUTPUT)
        yield source, sink
    finally:
        # Text that hooks printed and Python has not written yet.
        with suppress(OSError, ValueError):
            sys.stdout.flush()
        # Windows locks a descriptor while a thread reads it, and `dup2` would wait for the client.
        if sys.platform != "win32":
            os.dup2(source, 0)
        os.dup2(sink, OUTPUT)
        os.close(empty)


class StdioConnection:
    """The connection with a client, which gets a toolset or the tools of `/mcp`.

    Threads read and write the file descriptors, because asyncio cannot wait for files, and a client
    that does not read must not stop the event loop. The threads are daemons, so that a blocked pipe
    does not delay the end.
    """

    def __init__(self, app: App, source: int, sink: int, toolset: str = "") -> None:
        self._app, self._source, self._sink, self._toolset = app, source, sink, toolset
        self._limit = app.settings.request_bytes
        token = app.settings.stdio_token.get_secret_value()
        credential = [(b"authorization", f"Bearer {token}".encode("latin-1"))] if token else []
        path = app.address(f"{PATHS[0]}/{toolset}".rstrip("/"))
        address = {"path": path, "raw_path": path.encode()}
        self._scope: Scope = {**_SCOPE, **address, "headers": [*_HEADERS, *credential]}
        self._lines: SimpleQueue[bytes] = SimpleQueue()
        self._unwritten_bytes, self._write_condition = 0, threading.Condition()
        self._pending: dict[str | int, Answer] = {}
        self._handshake: Json = None
        self._revision: Json = None
        self._batches: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        """Answers messages until the end of input or a signal."""
        self._loop = asyncio.get_running_loop()
        self._end_event, self._is_idle = asyncio.Event(), asyncio.Event()
        self._is_idle.set()
        self._to_sdk, from_client = create_context_streams[SessionMessage | Exception](0)
        to_client, self._from_sdk = create_context_streams[SessionMessage](0)
        async with self._app.connected(self._deliver, self._toolset) as (server, self._rules_app):
            options = server.create_initialization_options()
            server_task = asyncio.create_task(server.run(from_client, to_client, options))
            output_task = asyncio.create_task(self._forward_answers())
            for run in (self._read, self._write):
                threading.Thread(target=run, name=f"stdio {run.__name__}", daemon=True).start()
            with self._signals():
                logger.info(
                    "Serving %s over stdio (process %d)", self._app.identity.title, os.getpid()
                )
                await self._end_event.wait()
                await self._drain()
            await self._to_sdk.aclose()
            await asyncio.wait((server_task, output_task))
            # A second for the thread that writes, also without a time of grace.
            seconds = max(self._app.settings.grace_seconds, 1)
            # Not in a pool of threads, which handlers may fill: no task of the server is left.
            self._wait_until_written(0, seconds)
            self._lines.put(b"")
        logger.info("Process %d has stopped", os.getpid())

    @contextmanager
    def _signals(self) -> Iterator[None]:
        """Ends the connection on SIGTERM and SIGINT, the process on a second signal."""

        def end(number: int, _: object) -> None:
            signal.signal(number, signal.SIG_DFL)
            self._call_in_loop(self._end_event.set)

        numbers = (signal.SIGTERM, signal.SIGINT)
        actions = {number: signal.getsignal(number) for number in numbers}
        try:
            for number in numbers:
                # Python runs `end` once the loop is awake. A signal that another thread gets, or that
                # comes just before the loop waits, wakes up a loop with its own handler only. On
                # Windows every signal does.
                with suppress(NotImplementedError):
                    self._loop.add_signal_handler(number, self._end_event.set)
                signal.signal(number, end)
            yield
        finally:
            for number, action in actions.items():
                with suppress(NotImplementedError):
                    self._loop.remove_signal_handler(number)
                signal.signal(number, action)

    async def _drain(self) -> None:
        """Ends streams and questions, and waits for running calls."""
        self._app.disconnect_clients()
        with suppress(TimeoutError):
            async with asyncio.timeout(self._app.settings.grace_seconds):
                await self._is_idle.wait()
                await asyncio.gather(*self._batches)

    def _call_in_loop(self, function: Callable[..., object], *arguments: object) -> None:
        """Calls a function in the event loop, which may have ended."""
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(function, *arguments)

    def _read(self) -> None:
        """Hands over the lines of the client in order, the next after the last was taken."""
        with suppress(OSError, RuntimeError, CancelledError):
            for line in read_lines(self._source, self._limit):
                self._wait_until_written(UNWRITTEN_BYTES)
                asyncio.run_coroutine_threadsafe(self._handle_line(line), self._loop).result()
        self._call_in_loop(self._end_event.set)

    def _write(self) -> None:
        """Writes lines until `b""`; drops lines once the client has closed the pipe."""
        while line := self._lines.get():
            size = len(line)
            try:
                while line:
                    line = line[os.write(self._sink, line) :]
            except OSError:
                self._call_in_loop(self._end_event.set)
            with self._write_condition:
                self._unwritten_bytes -= size
                self._write_condition.notify_all()

    def _wait_until_written(self, limit: int, seconds: float | None = None) -> None:
        """Blocks a thread until at most `limit` bytes are unwritten."""
        with self._write_condition:
            self._write_condition.wait_for(lambda: self._unwritten_bytes <= limit, seconds)

    def _queue_line(self, message: bytes) -> None:
        line = message + b"\n"
        with self._write_condition:
            self._unwritten_bytes += len(line)
        self._lines.put(line)

    async def _handle_line(self, line: bytes | None) -> None:
        """Takes a line of the client; None for a line above the limit."""
        if line is None:
            self._queue_line(_error_line(f"A message holds at most {self._limit} bytes"))
            return
        if not line.strip():
            return
        content = parse_json_body(line)
        if not isinstance(content, list):
            await self._forward_message(line, content, self._queue_line)
        elif self._revision != BATCHES:
            self._queue_line(_error_line("This revision of MCP has no batches"))
        elif not 0 < len(content) <= MAX_BATCH_MESSAGES:
            self._queue_line(_error_line(f"A batch holds 1 to {MAX_BATCH_MESSAGES} messages"))
        else:
            # A task, since a later line may cancel a request of the batch.
            task = asyncio.create_task(self._answer_batch(content))
            self._batches.add(task)
            task.add_done_callback(self._batches.discard)

    async def _answer_batch(self, messages: list[Json]) -> None:
        """Answers a batch with the responses in order, with no line for notifications alone."""
        answers: list[asyncio.Future[bytes]] = [self._loop.create_future() for _ in messages]
        for message, answer in zip(messages, answers, strict=True):
            if isinstance(message, dict) and message.get("method") == "initialize":
                error = _error_line("initialize must not be in a batch", id=message.get("id"))
                answer.set_result(error)
                continue
            await self._forward_message(ascii_json(message), message, answer.set_result)
            if not _is_request(message) and not answer.done():
                answer.set_result(b"")
        responses = [answer for answer in await asyncio.gather(*answers) if answer]
        if responses:
            self._queue_line(b"[%s]" % b",".join(responses))

    async def _forward_message(self, line: bytes, content: Json, answer: Answer) -> None:
        """Passes a message through the rules to the SDK, or answers with the refusal."""
        if content is None:
            answer(_error_line("Parse error", PARSE_ERROR))
        elif error := message_error(content):
            answer(ascii_json(error))
        else:
            inbound = _InboundMessage(answer)
            scope = scope_with_caller(with_body({**self._scope, _KEY: inbound}, line), LOCAL)
            refusal = bytearray()

            async def collect(part: Message) -> None:
                refusal.extend(part.get("body", b""))

            await self._rules_app(scope, replaying(line, disconnect), collect)
            if _is_request(content) and not inbound.is_delivered:
                answer(_refusal_line(bytes(refusal), content["id"]))

    async def _deliver(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The innermost ASGI application: hands a message to the SDK, which answers later."""
        content = body_of(scope).content
        inbound: _InboundMessage = scope[_KEY]
        inbound.is_delivered = True
        try:
            message = jsonrpc_message_adapter.validate_python(content, by_name=False)
        except ValidationError:
            if _is_request(content):
                inbound.answer(_error_line("This is no JSON-RPC message", id=content["id"]))
            return
        metadata = ServerMessageMetadata(request_context=Request(scope))
        if _is_request(content):
            id = content["id"]
            metadata.on_request_unanswered = partial(self._leave_unanswered, id)
            self._pending[id] = inbound.answer
            self._is_idle.clear()
            if content["method"] == "initialize":
                self._handshake = id
        with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
            await self._to_sdk.send(SessionMessage(message, metadata))

    async def _forward_answers(self) -> None:
        """Writes responses, requests and notifications of the SDK's server."""
        async with self._from_sdk:
            async for outgoing in self._from_sdk:
                message = outgoing.message
                if isinstance(message, (JSONRPCRequest, JSONRPCNotification)):
                    self._queue_line(_message_line(message))
                    continue
                id = getattr(message, "id", None)
                if isinstance(message, JSONRPCResponse) and id == self._handshake:
                    self._revision = message.result.get("protocolVersion")
                self._send_response(id, _message_line(message))

    async def _leave_unanswered(self, id: str | int) -> None:
        self._send_response(id, b"")

    def _send_response(self, id: str | int | None, response: bytes) -> None:
        answer = self._pending.pop(id, self._queue_line) if id is not None else self._queue_line
        if response or answer != self._queue_line:
            answer(response)
        if not self._pending:
            self._is_idle.set()


def read_lines(descriptor: int, limit: int) -> Iterator[bytes | None]:
    """The lines read from a file descriptor; None for a line of more than `limit` bytes."""
    line, is_long = bytearray(), False
    while piece := os.read(descriptor, PIECE_BYTES):
        *endings, rest = piece.split(b"\n")
        for ending in endings:
            line += ending
            yield None if is_long or len(line) > limit else bytes(line)
            line.clear()
            is_long = False
        line += rest
        if len(line) > limit:
            line.clear()
            is_long = True
    if line or is_long:
        yield None if is_long else bytes(line)


def _message_line(message: JSONRPCMessage) -> bytes:
    """The message as JSON on one line, also for readers that split lines at U+2028 or U+0085."""
    try:
        text = message.model_dump_json(by_alias=True, exclude_unset=True)
    except ValueError:
        # A lone surrogate in a message that the SDK does not validate.
        logger.exception("a message cannot be written as UTF-8")
        id = getattr(message, "id", None)
        return _error_line("Handler returned an invalid result", INTERNAL_ERROR, id)
    return _SEPARATORS.sub(lambda match: f"\\u{ord(match[0]):04x}", text).encode()


def _error_line(message: str, code: int = INVALID_REQUEST, id: Json = None) -> bytes:
    return ascii_json(rpc_error(message, code, id))


def _refusal_line(body: bytes, id: Json) -> bytes:
    """The JSON-RPC error in the body of a refusal, or an error in place of another body."""
    content = parse_json_body(body)
    if isinstance(content, dict) and "jsonrpc" in content:
        return body
    return _error_line("The server refused the message", id=id)


def _is_request(message: Json) -> bool:
    return isinstance(message, dict) and message.keys() >= {"method", "id"}
